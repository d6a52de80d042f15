package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.internal.abi.Secrets
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain

/** What counts as a secret, and where it is hidden. */
class SecretsTest :
    FunSpec({
        fun hidden(
            key: String,
            value: String,
            text: String,
        ) = Secrets().apply { note(key, value) }.hide(text)

        for (key in listOf(
            "adbc.flight.sql.rpc.call_header.x-api-key",
            "adbc.flight.sql.rpc.call_header.cookie",
            "access-key-id",
            "AccountKey",
            "encryption_key",
            "x-auth-jwt",
        )) {
            test("the option $key is a secret") { Secrets.isSecret(key) shouldBe true }
        }

        for (key in listOf(
            "uri",
            "keyspace",
            "username",
            "adbc.ingest.target_table",
            "monkey",
            "keepalives",
            "sslkey",
        )) {
            test("the option $key is none") { Secrets.isSecret(key) shouldBe false }
        }

        test("a password in a URI that has a slash, a question mark or a number sign in it is hidden as a whole") {
            hidden("uri", "db://ann:a/b?c#d@host/x", "no host in db://ann:a/b?c#d@host/x") shouldBe
                "no host in db://ann:***@host/x"
        }

        test("a password in quotes of a connection string is hidden as a whole, with its escapes") {
            hidden("uri", """host=h password='it\'s mine' user=ann""", """bad: it\'s mine, it's mine""") shouldBe
                "bad: ***, ***"
            hidden("uri", """Server=h;PWD="a;b c";Uid=ann""", """bad: a;b c, Uid=ann""") shouldBe "bad: ***, Uid=ann"
            hidden("uri", """Server=h;PWD={a;b c};Uid=ann""", """bad: a;b c, Uid=ann""") shouldBe "bad: ***, Uid=ann"
        }

        test("a secret of bytes is hidden") {
            val secrets = Secrets()
            secrets.note("private_key", "geheim".toByteArray())
            secrets.hide("no key geheim") shouldBe "no key ***"
        }

        test("a secret is hidden in bytes, also if it is not ASCII, and other bytes stay") {
            val secrets = Secrets().apply { note("password", "gehe€im") }
            val detail = byteArrayOf(0, -1) + "password gehe€im".toByteArray() + byteArrayOf(-2)
            secrets.hide(detail) shouldBe byteArrayOf(0, -1) + "password ***".toByteArray() + byteArrayOf(-2)
        }

        test("a secret of the longest name is hidden first") {
            val secrets = Secrets().apply { note("password", "abc") }
            secrets.note("token", "abcdef")
            secrets.hide("abcdef, abc") shouldNotContain "def"
        }
    })
