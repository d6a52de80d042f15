package dev.arrowdevice.internal.notebooks

import org.w3c.dom.Element
import org.w3c.dom.NodeList
import org.xml.sax.InputSource
import java.io.StringReader
import javax.xml.parsers.DocumentBuilderFactory

/**
 * What a notebook shows for a value, read by a parser of XML, which refuses what isn't well-formed.
 *
 * @property cells the texts of the rows, without the header
 * @property notes the lines outside of the table
 */
class Shown private constructor(
    private val root: Element,
) {
    val header = elements("th").map { it.textContent }
    val cells = elements("tr").drop(1).map { row -> row.getElementsByTagName("td").all().map { it.textContent } }
    val notes = elements("p").map { it.textContent }

    /** The elements of a cell's classes in the order of the columns, of one row. */
    fun classes(row: Int) = elements("tr")[row + 1].getElementsByTagName("td").all().map { it.getAttribute("class") }

    private fun elements(tag: String) = root.getElementsByTagName(tag).all()

    companion object {
        fun of(value: Any): Shown {
            val parser = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            return Shown(parser.parse(InputSource(StringReader(NotebookHtml.of(value)))).documentElement)
        }
    }
}

private fun NodeList.all(): List<Element> = List(length) { item(it) as Element }
