"""PDF/A-3b, the archive standard ISO 19005-3 at level B: what a paper needs beyond what every paper has.

Fonts, streams, links and attachments of every paper are already as the standard wants them. An archivable one says so
(XMP metadata) and says what its colours mean (an output intent with a colour profile).
"""

from __future__ import annotations

from datetime import date
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfdoc

PART, CONFORMANCE = 3, "B"

_PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
    xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/">
   <pdfaid:part>{part}</pdfaid:part>
   <pdfaid:conformance>{conformance}</pdfaid:conformance>
   <dc:format>application/pdf</dc:format>
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
   <dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
   <dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
   <dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
   <pdf:Producer>{producer}</pdf:Producer>
   <xmp:CreatorTool>{creator}</xmp:CreatorTool>
   <xmp:CreateDate>{day}T00:00:00+00:00</xmp:CreateDate>
   <xmp:ModifyDate>{day}T00:00:00+00:00</xmp:ModifyDate>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def make_archivable(document: pdfdoc.PDFDocument, day: date, language_tag: str, colour_profile: bytes) -> None:
    """Add metadata and output intent. Called after title, author and subject are set: both places say the same."""
    info = document.info
    words = {
        "title": info.title,
        "author": info.author,
        "subject": info.subject,
        "producer": info.producer,
        "creator": info.creator,
        "language": language_tag,
    }
    packet = _PACKET.format(
        part=PART, conformance=CONFORMANCE, day=day.isoformat(), **{key: escape(text) for key, text in words.items()}
    )
    kind = {"Type": pdfdoc.PDFName("Metadata"), "Subtype": pdfdoc.PDFName("XML")}
    document.Catalog.Metadata = pdfdoc.PDFStream(pdfdoc.PDFDictionary(kind), packet.encode())  # readable by any tool
    profile = pdfdoc.PDFStream(pdfdoc.PDFDictionary({"N": 3}), colour_profile, [pdfdoc.PDFZCompress])
    intent = pdfdoc.PDFDictionary(
        {
            "Type": pdfdoc.PDFName("OutputIntent"),
            "S": pdfdoc.PDFName("GTS_PDFA1"),
            "OutputConditionIdentifier": pdfdoc.PDFString("sRGB"),
            "Info": pdfdoc.PDFString("sRGB IEC61966-2.1"),
            "DestOutputProfile": document.Reference(profile),
        }
    )
    add_to_catalogue(document, "OutputIntents", pdfdoc.PDFArray([intent]))


def add_to_catalogue(document: pdfdoc.PDFDocument, name: str, entry: pdfdoc.PDFObject) -> None:
    """An entry of the document's catalogue that reportlab does not know."""
    catalogue = document.Catalog
    catalogue.__NoDefault__ = [*catalogue.__NoDefault__, name]
    setattr(catalogue, name, entry)
