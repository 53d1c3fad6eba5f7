// Run by the shell of the JavaScript engine that lies beside veraPDF in its archive: profile name, then files.
// Prints one JSON object a file. veraPDF reads its profiles through a library that this archive leaves out, so the rules
// are read here and handed over.

var pdfa = Packages.org.verapdf.pdfa;
var profiles = pdfa.validation.profiles;
var PROFILE = "org/verapdf/pdfa/validation/PDFA-" + arguments[0].toUpperCase() + ".xml";

function textOf(element, name) {
  var found = element.getElementsByTagName(name);
  return found.getLength() > 0 ? found.item(0).getTextContent() : null;
}

function errorOf(element) {
  var wanted = new java.util.ArrayList();
  var found = element.getElementsByTagName("argument");
  for (var i = 0; i < found.getLength(); i++) {
    wanted.add(profiles.ErrorArgumentImpl.fromValues(found.item(i).getTextContent(), null, null));
  }
  return profiles.Profiles.errorFromValues(textOf(element, "message"), wanted);
}

function ruleOf(element) {
  var id = element.getElementsByTagName("id").item(0);
  var standard = pdfa.flavours.PDFAFlavour.Specification.valueOf(id.getAttribute("specification"));
  var number = java.lang.Integer.parseInt(id.getAttribute("testNumber"));
  var deferred = element.hasAttribute("deferred") ? java.lang.Boolean.valueOf(element.getAttribute("deferred")) : null;
  return profiles.Profiles.ruleFromValues(
    profiles.Profiles.ruleIdFromValues(standard, id.getAttribute("clause"), number),
    element.getAttribute("object"), deferred, null, textOf(element, "description"), textOf(element, "test"),
    errorOf(element), new java.util.ArrayList()
  );
}

function variableOf(element) {
  return profiles.Profiles.variableFromValues(
    element.getAttribute("name"), element.getAttribute("object"), textOf(element, "defaultValue"), textOf(element, "value")
  );
}

function all(document, name, make) {
  var made = new java.util.HashSet();
  var found = document.getElementsByTagName(name);
  for (var i = 0; i < found.getLength(); i++) made.add(make(found.item(i)));
  return made;
}

function profileOf(flavour) {
  var stream = java.lang.ClassLoader.getSystemClassLoader().getResourceAsStream(PROFILE);
  var document = javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(stream);
  var details = profiles.Profiles.profileDetailsFromValues(PROFILE, "", "", new java.util.Date(0));
  return profiles.Profiles.profileFromValues(
    flavour, details, "", all(document, "rule", ruleOf), all(document, "variable", variableOf)
  );
}

function check(file, flavour, profile) {
  var parser = pdfa.Foundries.defaultInstance().createParser(new java.io.File(file), flavour);
  var result = pdfa.validation.validators.ValidatorFactory.createValidator(profile, true).validate(parser);
  var failed = {}, applied = {};
  for (var found = result.getTestAssertions().iterator(); found.hasNext();) {
    var assertion = found.next();
    var rule = assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber();
    applied[rule] = true;
    if (String(assertion.getStatus()).toUpperCase() == "FAILED" && !(rule in failed)) {
      failed[rule] = assertion.getMessage() + " (" + assertion.getLocation().getContext() + ")";
    }
  }
  parser.close();
  print(JSON.stringify({
    file: file, compliant: Boolean(result.isCompliant()), rules: profile.getRules().size(),
    applied: Object.keys(applied).length, checks: Number(result.getTotalAssertions()), failed: failed
  }));
}

Packages.org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider.initialise();
var flavour = pdfa.flavours.PDFAFlavour.fromString(arguments[0]);
var profile = profileOf(flavour);
for (var i = 1; i < arguments.length; i++) check(arguments[i], flavour, profile);
