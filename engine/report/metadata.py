"""What the file says about itself: title, author, dates, language, a fingerprint, and the files it carries."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from reportlab.lib.utils import TimeStamp
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from engine.report.archive import add_to_catalogue
from engine.report.assets import Attachment
from engine.report.context import Paper

CREATOR = "Passform"


def describe(canvas: Canvas, paper: Paper, title: str, attachments: Sequence[Attachment]) -> None:
    """Set metadata from the quote alone; dates are the quote's date, so that the same quote gives the same file."""
    quote = paper.quote
    canvas.setTitle(title)
    canvas.setAuthor(paper.guard.line(quote.seller.name, "seller.name") or CREATOR)
    canvas.setSubject(paper.guard.line(quote.subject, "subject") or title)
    canvas.setCreator(CREATOR)
    canvas.setProducer(CREATOR)
    canvas.setKeywords("")
    canvas.showOutline()
    canvas.setViewerPreference("DisplayDocTitle", "true")
    document = canvas._doc  # reportlab offers no other way to set dates and attachments
    stamp = TimeStamp(invariant=1)
    stamp.YMDhms = (quote.as_of.year, quote.as_of.month, quote.as_of.day, 0, 0, 0)
    document._timeStamp = stamp
    for attachment in attachments:  # the quote itself is among them
        document.signature.update(sha256(attachment.content).digest())
    _attach(document, attachments)


def _attach(document: pdfdoc.PDFDocument, attachments: Sequence[Attachment]) -> None:
    """Embedded files in the catalogue's name tree, sorted by name as the tree demands."""
    names: list[object] = []
    associated: list[object] = []
    for attachment in sorted(attachments, key=lambda item: item.name):
        parameters = pdfdoc.PDFDictionary({"Size": len(attachment.content)})
        embedded = pdfdoc.PDFStream(
            pdfdoc.PDFDictionary(
                {
                    "Type": pdfdoc.PDFName("EmbeddedFile"),
                    "Subtype": "/" + attachment.mime.replace("/", "#2F"),  # PDFName would escape the sign of the escape
                    "Params": parameters,
                }
            ),
            attachment.content,
            [pdfdoc.PDFZCompress],
        )
        specification = pdfdoc.PDFDictionary(
            {
                "Type": pdfdoc.PDFName("Filespec"),
                "F": pdfdoc.PDFString(attachment.name),
                "UF": pdfdoc.PDFString(attachment.name),
                "Desc": pdfdoc.PDFString(attachment.description or attachment.name),
                "AFRelationship": pdfdoc.PDFName("Data"),
                "EF": pdfdoc.PDFDictionary({"F": document.Reference(embedded)}),
            }
        )
        reference = document.Reference(specification)
        names += [pdfdoc.PDFString(attachment.name), reference]
        associated.append(reference)
    tree = pdfdoc.PDFDictionary({"EmbeddedFiles": pdfdoc.PDFDictionary({"Names": pdfdoc.PDFArray(names)})})
    document.Catalog.Names = tree
    add_to_catalogue(document, "AF", pdfdoc.PDFArray(associated))
