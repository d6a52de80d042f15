package dev.arrowdevice.adbc.internal.abi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The secrets among the options of a database, which no message may contain. May be used from any thread. */
public final class Secrets {
    private static final Pattern KEY =
            Pattern.compile("passw|pwd|passphrase|secret|token|credential|authorization|cookie|jwt|_pem"
                    + "|(private|api|access|account|shared|encryption|sas)[-_. ]?key");
    /** As a URI has it, and with the characters that a URI must not have there, up to the last "@". */
    private static final List<Pattern> USER_INFO =
            List.of(Pattern.compile("//[^/?#@:]*:([^/?#]*)@"), Pattern.compile("//[^/?#@:\\s]*:(\\S*)@"));

    private static final Pattern PARAMETER =
            Pattern.compile("([A-Za-z0-9_.-]+)\\s*=\\s*" + "('(?:\\\\.|[^'\\\\])*'|\"[^\"]*\"|\\{[^}]*\\}|[^&;\\s]*)");
    private static final String HIDDEN = "***";
    private static final List<String> QUOTES = List.of("''", "\"\"", "{}");

    private final List<String> values = new CopyOnWriteArrayList<>();

    /** Looks for secrets in an option: its value as a whole, or the passwords in a URI or a connection string. */
    public void note(String key, String value) {
        if (isSecret(key)) {
            add(value);
            return;
        }
        for (Pattern pattern : USER_INFO) {
            Matcher userInfo = pattern.matcher(value);
            while (userInfo.find()) {
                add(userInfo.group(1));
            }
        }
        Matcher parameter = PARAMETER.matcher(value);
        while (parameter.find()) {
            if (isSecret(parameter.group(1))) {
                add(parameter.group(2));
            }
        }
    }

    /** Looks for a secret in an option whose value is bytes. Those that are no text are in no message. */
    public void note(String key, byte[] value) {
        if (isSecret(key)) {
            add(new String(value, StandardCharsets.UTF_8));
        }
    }

    /** Whether the value of an option must not be shown. */
    public static boolean isSecret(String key) {
        return KEY.matcher(key.toLowerCase(Locale.ROOT)).find();
    }

    /** The text without the secrets. */
    public String hide(String text) {
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(value, HIDDEN);
        }
        return hidden;
    }

    /** The bytes without the secrets in UTF-8. Others stay as they are. */
    public byte[] hide(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(
                    new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1), HIDDEN);
        }
        return hidden.equals(text) ? bytes : hidden.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void add(String value) {
        boolean quoted = QUOTES.stream()
                .anyMatch(quotes -> value.length() > 1
                        && value.charAt(0) == quotes.charAt(0)
                        && value.charAt(value.length() - 1) == quotes.charAt(1));
        String plain = quoted ? value.substring(1, value.length() - 1) : value;
        addOnce(plain);
        addOnce(decoded(plain));
        addOnce(plain.replaceAll("\\\\(.)", "$1"));
        // The longest first, so that no part of one is left when another is a part of it.
        values.sort((one, other) -> Integer.compare(other.length(), one.length()));
    }

    private void addOnce(String value) {
        if (!value.isEmpty() && !values.contains(value)) {
            values.add(value);
        }
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return value;
        }
    }
}
