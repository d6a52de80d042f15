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
    private static final Pattern KEY = Pattern.compile(
            "passw|pwd|passphrase|secret|token|credential|authorization|private_?key|api_?key|access_?key|_pem|sas_key");
    private static final Pattern USER_INFO = Pattern.compile("//[^/?#@:]*:([^/?#]*)@");
    private static final Pattern PARAMETER = Pattern.compile("[?&;\\s]?([A-Za-z0-9_.-]+)\\s*=\\s*('[^']*'|[^&;\\s]*)");
    private static final String HIDDEN = "***";
    private static final String QUOTE = "'";

    private final List<String> values = new CopyOnWriteArrayList<>();

    /** Looks for secrets in an option: its value as a whole, or the passwords in a URI or a connection string. */
    public void note(String key, String value) {
        if (isSecret(key)) {
            add(value);
            return;
        }
        Matcher userInfo = USER_INFO.matcher(value);
        while (userInfo.find()) {
            add(userInfo.group(1));
        }
        Matcher parameter = PARAMETER.matcher(value);
        while (parameter.find()) {
            if (isSecret(parameter.group(1))) {
                add(parameter.group(2));
            }
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

    private void add(String value) {
        String plain = value.length() > 1 && value.startsWith(QUOTE) && value.endsWith(QUOTE)
                ? value.substring(1, value.length() - 1)
                : value;
        addOnce(plain);
        addOnce(decoded(plain));
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
