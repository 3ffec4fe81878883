"""Reads a model, makes an object of its classes, and writes both again, with pyecore.

    round_trip.py MODEL OBJECT MODEL_OUT OBJECT_OUT

OBJECT is a document that puppetfn wrote. What is found in it, and what pyecore makes of the model, is printed as
JSON. OBJECT_OUT gets the object with a second book, and MODEL_OUT the model with a class that pyecore made.
"""
import json
import sys

from pyecore.ecore import EAttribute, EClass, EInt, EReference, EString
from pyecore.resources import URI, ResourceSet

model, document, model_out, object_out = sys.argv[1:]
resources = ResourceSet()
package = resources.get_resource(URI(model)).contents[0]
resources.metamodel_registry[package.nsURI] = package

branch = resources.get_resource(URI(document)).contents[0]
found = {
    "uri": package.nsURI,
    "classes": sorted(c.name for c in package.eClassifiers if isinstance(c, EClass)),
    "city": branch.city,
    "books": [[book.title, book.pages, list(book.tags), book.color and str(book.color)] for book in branch.books],
    "featured": branch.featured.title,
    "kinds": [book.eClass.name for book in branch.books],
    "bounds": [[f.name, f.lowerBound, f.upperBound] for f in package.getEClassifier("Book").eStructuralFeatures],
    "annotations": sum(len(list(x.eAnnotations)) for x in package.eAllContents() if hasattr(x, "eAnnotations")),
}
print(json.dumps(found))

Book = package.getEClassifier("Book")
book = Book(title="Emma & <Co>", pages=7)
book.tags.extend(["a", "b c", "a"])
branch.books.append(book)
branch.featured = book
written = resources.create_resource(URI(object_out))
written.append(branch)
written.save()

shelf = EClass("Shelf")
rows = EAttribute("rows", EInt, lower=1)
rows.defaultValueLiteral = "3"
shelf.eStructuralFeatures.append(rows)
shelf.eStructuralFeatures.append(EAttribute("labels", EString, upper=-1))
shelf.eStructuralFeatures.append(EReference("books", Book, upper=-1))
package.eClassifiers.append(shelf)
written = resources.create_resource(URI(model_out))
written.append(package)
written.save()
