BEGIN TRANSACTION;
CREATE TABLE passform_counters (
	kind VARCHAR(20) NOT NULL, 
	year INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	PRIMARY KEY (kind, year)
);
INSERT INTO "passform_counters" VALUES('recommendation',2026,4);
CREATE TABLE passform_documents (
	id INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	year INTEGER NOT NULL, 
	counter INTEGER NOT NULL, 
	number VARCHAR(80) NOT NULL, 
	company TEXT NOT NULL, 
	contact TEXT NOT NULL, 
	customer_number TEXT NOT NULL, 
	reference TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	search TEXT NOT NULL, 
	author TEXT NOT NULL, 
	follow_up DATE, 
	remark TEXT NOT NULL, 
	erased_on DATE, 
	PRIMARY KEY (id), 
	UNIQUE (kind, year, counter), 
	UNIQUE (number)
);
INSERT INTO "passform_documents" VALUES(1,'recommendation',2026,1,'KE-2026-0001','Beispiel Maschinenbau AG','Frau Dr. Sabine Größer','K-1042','Anfrage 7','','ke-2026-0001
beispiel maschinenbau ag
frau dr. sabine grösser
k-1042
anfrage 7
','Karin Kontakt',NULL,'',NULL);
INSERT INTO "passform_documents" VALUES(2,'recommendation',2026,2,'KE-2026-0002','Beispiel Maschinenbau AG','Frau Dr. Sabine Größer','K-1042','Anfrage 7','','ke-2026-0002
beispiel maschinenbau ag
frau dr. sabine grösser
k-1042
anfrage 7
','Karin Kontakt',NULL,'',NULL);
INSERT INTO "passform_documents" VALUES(3,'recommendation',2026,3,'KE-2026-0003','Beispiel Maschinenbau AG','Frau Dr. Sabine Größer','K-1042','Anfrage 7','','ke-2026-0003
beispiel maschinenbau ag
frau dr. sabine grösser
k-1042
anfrage 7
','',NULL,'',NULL);
INSERT INTO "passform_documents" VALUES(4,'recommendation',2026,4,'KE-2026-0004','','','','','','','',NULL,'','2026-11-30');
CREATE TABLE passform_events (
	id INTEGER NOT NULL, 
	document_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	happened_on DATE NOT NULL, 
	what VARCHAR(20) NOT NULL, 
	author TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(document_id) REFERENCES passform_documents (id)
);
INSERT INTO "passform_events" VALUES(1,1,1,'2026-11-30','issued','Karin Kontakt');
INSERT INTO "passform_events" VALUES(2,2,1,'2026-11-30','issued','Karin Kontakt');
INSERT INTO "passform_events" VALUES(3,2,1,'2026-11-30','superseded','');
INSERT INTO "passform_events" VALUES(4,2,2,'2026-11-30','issued','');
INSERT INTO "passform_events" VALUES(5,3,1,'2026-11-30','issued','');
INSERT INTO "passform_events" VALUES(6,4,1,'2026-11-30','issued','');
INSERT INTO "passform_events" VALUES(7,4,1,'2026-11-30','erased','');
CREATE TABLE passform_papers (
	revision_id INTEGER NOT NULL, 
	pdf BLOB NOT NULL, 
	quote TEXT NOT NULL, 
	prices TEXT NOT NULL, 
	consultation TEXT NOT NULL, 
	PRIMARY KEY (revision_id), 
	FOREIGN KEY(revision_id) REFERENCES passform_revisions (id)
);
INSERT INTO "passform_papers" VALUES(1,X'255044462D312E342073616D706C65204B452D323032362D303030312F31','{
  "schema": 1,
  "kind": "recommendation",
  "number": "KE-2026-0001",
  "revision": 1,
  "draft": false,
  "date": "2026-11-30",
  "valid_until": "2026-12-30",
  "language": "de",
  "currency": "EUR",
  "seller": {
    "name": "Muster Systemhaus GmbH",
    "vat_id": "DE123456789"
  },
  "customer": {
    "company": "Beispiel Maschinenbau AG",
    "contact": "Frau Dr. Sabine Größer",
    "address": [
      "Königstraße 5",
      "70173 Stuttgart"
    ],
    "country": "DE",
    "delivery_country": "DE",
    "kind": "business",
    "vat_id": "",
    "number": "K-1042",
    "reference": "Anfrage 7",
    "cost_centre": ""
  },
  "subject": "",
  "introduction": "",
  "closing": "",
  "public_tender": false,
  "terms": {
    "binding": false,
    "payment": "",
    "delivery": "",
    "delivery_time": "",
    "warranty": "",
    "retention_of_title": "",
    "where_readable": "",
    "export_reservation": ""
  },
  "sections": [
    {
      "number": "1",
      "title": "",
      "role": "free",
      "lines": [
        {
          "number": "1.1",
          "kind": "base",
          "item": "",
          "title": "Server",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": "1000.00",
          "discount": "0",
          "total": "1000.00",
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": "seller",
          "price_date": "2026-11-30"
        }
      ],
      "subtotal": "1000.00"
    }
  ],
  "totals": {
    "before_discount": "1000.00",
    "discount": "0.00",
    "net": "1000.00",
    "vat": [
      {
        "case": "domestic",
        "rate": "0.19",
        "net": "1000.00",
        "vat": "190.00"
      }
    ],
    "gross": "1190.00",
    "on_request": []
  },
  "net_with_options": null,
  "variants": [],
  "recommendation": null,
  "tasks": [],
  "catalogue": ""
}
','{
 "schema": 1,
 "date": "2026-11-30",
 "currency": "EUR",
 "lines": [
  {
   "number": "1.1",
   "item": "",
   "unit_price": "1000.00",
   "basis": "seller",
   "as_of": "2026-11-30",
   "age": null,
   "source": "",
   "url": "",
   "grade": null,
   "rate": null
  }
 ]
}','schema: 1
');
INSERT INTO "passform_papers" VALUES(2,X'255044462D312E342073616D706C65204B452D323032362D303030322F31','{
  "schema": 1,
  "kind": "recommendation",
  "number": "KE-2026-0002",
  "revision": 1,
  "draft": false,
  "date": "2026-11-30",
  "valid_until": "2026-12-30",
  "language": "de",
  "currency": "EUR",
  "seller": {
    "name": "Muster Systemhaus GmbH",
    "vat_id": "DE123456789"
  },
  "customer": {
    "company": "Beispiel Maschinenbau AG",
    "contact": "Frau Dr. Sabine Größer",
    "address": [
      "Königstraße 5",
      "70173 Stuttgart"
    ],
    "country": "DE",
    "delivery_country": "DE",
    "kind": "business",
    "vat_id": "",
    "number": "K-1042",
    "reference": "Anfrage 7",
    "cost_centre": ""
  },
  "subject": "",
  "introduction": "",
  "closing": "",
  "public_tender": false,
  "terms": {
    "binding": false,
    "payment": "",
    "delivery": "",
    "delivery_time": "",
    "warranty": "",
    "retention_of_title": "",
    "where_readable": "",
    "export_reservation": ""
  },
  "sections": [
    {
      "number": "1",
      "title": "",
      "role": "free",
      "lines": [
        {
          "number": "1.1",
          "kind": "base",
          "item": "",
          "title": "Server",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": "1000.00",
          "discount": "0",
          "total": "1000.00",
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": "seller",
          "price_date": "2026-11-30"
        },
        {
          "number": "1.2",
          "kind": "base",
          "item": "",
          "title": "Karte",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": null,
          "discount": "0",
          "total": null,
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": null,
          "price_date": null
        }
      ],
      "subtotal": "1000.00"
    }
  ],
  "totals": {
    "before_discount": "1000.00",
    "discount": "0.00",
    "net": "1000.00",
    "vat": [
      {
        "case": "domestic",
        "rate": "0.19",
        "net": "1000.00",
        "vat": "190.00"
      }
    ],
    "gross": "1190.00",
    "on_request": [
      "1.2"
    ]
  },
  "net_with_options": null,
  "variants": [],
  "recommendation": null,
  "tasks": [],
  "catalogue": ""
}
','{
 "schema": 1,
 "date": "2026-11-30",
 "currency": "EUR",
 "lines": [
  {
   "number": "1.1",
   "item": "",
   "unit_price": "1000.00",
   "basis": "seller",
   "as_of": "2026-11-30",
   "age": null,
   "source": "",
   "url": "",
   "grade": null,
   "rate": null
  }
 ]
}','schema: 1
');
INSERT INTO "passform_papers" VALUES(3,X'255044462D312E342073616D706C65204B452D323032362D303030322F32','{
  "schema": 1,
  "kind": "recommendation",
  "number": "KE-2026-0002",
  "revision": 2,
  "draft": false,
  "date": "2026-11-30",
  "valid_until": "2026-12-30",
  "language": "de",
  "currency": "EUR",
  "seller": {
    "name": "Muster Systemhaus GmbH",
    "vat_id": "DE123456789"
  },
  "customer": {
    "company": "Beispiel Maschinenbau AG",
    "contact": "Frau Dr. Sabine Größer",
    "address": [
      "Königstraße 5",
      "70173 Stuttgart"
    ],
    "country": "DE",
    "delivery_country": "DE",
    "kind": "business",
    "vat_id": "",
    "number": "K-1042",
    "reference": "Anfrage 7",
    "cost_centre": ""
  },
  "subject": "",
  "introduction": "",
  "closing": "",
  "public_tender": false,
  "terms": {
    "binding": false,
    "payment": "",
    "delivery": "",
    "delivery_time": "",
    "warranty": "",
    "retention_of_title": "",
    "where_readable": "",
    "export_reservation": ""
  },
  "sections": [
    {
      "number": "1",
      "title": "",
      "role": "free",
      "lines": [
        {
          "number": "1.1",
          "kind": "base",
          "item": "",
          "title": "Server",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": "1000.00",
          "discount": "0",
          "total": "1000.00",
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": "seller",
          "price_date": "2026-11-30"
        },
        {
          "number": "1.2",
          "kind": "base",
          "item": "",
          "title": "Karte",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": null,
          "discount": "0",
          "total": null,
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": null,
          "price_date": null
        },
        {
          "number": "1.3",
          "kind": "base",
          "item": "",
          "title": "Brücke",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": null,
          "discount": "0",
          "total": null,
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": null,
          "price_date": null
        }
      ],
      "subtotal": "1000.00"
    }
  ],
  "totals": {
    "before_discount": "1000.00",
    "discount": "0.00",
    "net": "1000.00",
    "vat": [
      {
        "case": "domestic",
        "rate": "0.19",
        "net": "1000.00",
        "vat": "190.00"
      }
    ],
    "gross": "1190.00",
    "on_request": [
      "1.2",
      "1.3"
    ]
  },
  "net_with_options": null,
  "variants": [],
  "recommendation": null,
  "tasks": [],
  "catalogue": ""
}
','{
 "schema": 1,
 "date": "2026-11-30",
 "currency": "EUR",
 "lines": [
  {
   "number": "1.1",
   "item": "",
   "unit_price": "1000.00",
   "basis": "seller",
   "as_of": "2026-11-30",
   "age": null,
   "source": "",
   "url": "",
   "grade": null,
   "rate": null
  }
 ]
}','schema: 1
');
INSERT INTO "passform_papers" VALUES(4,X'255044462D312E342073616D706C65204B452D323032362D303030332F31','{
  "schema": 1,
  "kind": "recommendation",
  "number": "KE-2026-0003",
  "revision": 1,
  "draft": false,
  "date": "2026-11-30",
  "valid_until": "2026-12-30",
  "language": "de",
  "currency": "EUR",
  "seller": {
    "name": "Muster Systemhaus GmbH",
    "vat_id": "DE123456789"
  },
  "customer": {
    "company": "Beispiel Maschinenbau AG",
    "contact": "Frau Dr. Sabine Größer",
    "address": [
      "Königstraße 5",
      "70173 Stuttgart"
    ],
    "country": "DE",
    "delivery_country": "DE",
    "kind": "business",
    "vat_id": "",
    "number": "K-1042",
    "reference": "Anfrage 7",
    "cost_centre": ""
  },
  "subject": "",
  "introduction": "",
  "closing": "",
  "public_tender": false,
  "terms": {
    "binding": false,
    "payment": "",
    "delivery": "",
    "delivery_time": "",
    "warranty": "",
    "retention_of_title": "",
    "where_readable": "",
    "export_reservation": ""
  },
  "sections": [
    {
      "number": "1",
      "title": "",
      "role": "free",
      "lines": [
        {
          "number": "1.1",
          "kind": "base",
          "item": "",
          "title": "Karte",
          "description": "",
          "quantity": "1",
          "unit": "piece",
          "unit_price": null,
          "discount": "0",
          "total": null,
          "vat_case": "domestic",
          "alternative_to": null,
          "price_basis": null,
          "price_date": null
        }
      ],
      "subtotal": "0"
    }
  ],
  "totals": {
    "before_discount": null,
    "discount": null,
    "net": null,
    "vat": [],
    "gross": null,
    "on_request": [
      "1.1"
    ]
  },
  "net_with_options": null,
  "variants": [],
  "recommendation": null,
  "tasks": [],
  "catalogue": ""
}
','{
 "schema": 1,
 "date": "2026-11-30",
 "currency": "EUR",
 "lines": []
}','schema: 1
');
CREATE TABLE passform_register (
	id INTEGER NOT NULL, 
	schema_number INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "passform_register" VALUES(1,1);
CREATE TABLE passform_revisions (
	id INTEGER NOT NULL, 
	document_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	issued_on DATE NOT NULL, 
	valid_until DATE NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	currency VARCHAR(3) NOT NULL, 
	net VARCHAR(40), 
	gross VARCHAR(40), 
	pdf_sha256 VARCHAR(64) NOT NULL, 
	pdf_bytes INTEGER NOT NULL, 
	catalogue TEXT NOT NULL, 
	request VARCHAR(80), 
	PRIMARY KEY (id), 
	UNIQUE (document_id, revision), 
	FOREIGN KEY(document_id) REFERENCES passform_documents (id), 
	UNIQUE (request)
);
INSERT INTO "passform_revisions" VALUES(1,1,1,'draft','2026-11-30','2026-12-30','de','EUR','1000.00','1190.00','091cb76ccd11b2a0371b68d46ce5419345794e7c9c77d7d1b2ef4ec7bc916359',30,'',NULL);
INSERT INTO "passform_revisions" VALUES(2,2,1,'superseded','2026-11-30','2026-12-30','de','EUR','1000.00','1190.00','08906e78b69d0524fbf3a0a1ec69abfdb640b2e431eccc3cfd034bf5f927d1f9',30,'',NULL);
INSERT INTO "passform_revisions" VALUES(3,2,2,'draft','2026-11-30','2026-12-30','de','EUR','1000.00','1190.00','7d03cc7591e4ae827d17492872a528220e116219bb526cb82503bd9125c5ec9d',30,'',NULL);
INSERT INTO "passform_revisions" VALUES(4,3,1,'draft','2026-11-30','2026-12-30','de','EUR',NULL,NULL,'10344fde45487c1459f958bdc9f8d8ed0e119d484543813042d4b254e8357b7e',30,'',NULL);
INSERT INTO "passform_revisions" VALUES(5,4,1,'draft','2026-11-30','2026-12-30','de','EUR','1000.00','1190.00','27c6c913799584845fdf08c702ba01fe202079fa96f36c6656e0853c5a86cb2a',30,'',NULL);
CREATE INDEX ix_passform_events_document_id ON passform_events (document_id);
COMMIT;
