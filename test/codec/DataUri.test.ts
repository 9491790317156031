import { assert, describe, it } from "@effect/vitest"
import * as DataUri from "../../src/codec/DataUri.ts"

describe("DataUri", () => {
  it("reads every part", () => {
    assert.deepStrictEqual(DataUri.parse("data:image/png;base64,iVBORw0KGgo="), {
      mediaType: "image/png",
      parameters: "",
      base64: true,
      data: "iVBORw0KGgo="
    })
    assert.deepStrictEqual(DataUri.parse("data:image/jpeg;charset=utf-8;name=a.jpg;base64,/9j/4AAQ"), {
      mediaType: "image/jpeg",
      parameters: ";charset=utf-8;name=a.jpg",
      base64: true,
      data: "/9j/4AAQ"
    })
  })

  it("is text in US-ASCII where it does not say what it is", () => {
    const plain = { mediaType: "text/plain", parameters: ";charset=US-ASCII", data: "SGVsbG8=" }
    assert.deepStrictEqual(DataUri.parse("data:;base64,SGVsbG8="), { ...plain, base64: true })
    assert.deepStrictEqual(DataUri.parse("data:,Hello"), { ...plain, base64: false })
    assert.strictEqual(DataUri.parse("data:;charset=utf-8,Hello")?.parameters, ";charset=utf-8")
  })

  it("takes the scheme and base64 in any case, base64 only as the last parameter before the first comma", () => {
    assert.strictEqual(DataUri.parse("DATA:text/plain;charset=UTF-8;BASE64,aGk=")?.data, "aGk=")
    assert.deepStrictEqual(DataUri.parse("data:text/plain;base64;charset=utf-8,a,b"), {
      mediaType: "text/plain",
      parameters: ";base64;charset=utf-8",
      base64: false,
      data: "YSxi"
    })
  })

  it("reads the bytes of what is percent-encoded", () => {
    assert.strictEqual(DataUri.parse("data:image/svg+xml,%3Csvg%2F%3E")?.data, "PHN2Zy8+")
    assert.strictEqual(DataUri.parse("data:,%FF%zz\u00e9")?.data, "/yV6esOp")
    assert.strictEqual(DataUri.parse("data:text/plain;base64,aG%6B%3D")?.data, "aGk=")
    assert.strictEqual(DataUri.parse("data:text/plain;base64,aG\nk=")?.data, "aGk=")
    assert.strictEqual(DataUri.parse("data:text/plain;base64,")?.data, "")
  })

  it("is nothing where it is no data URI, or its bytes cannot be read", () => {
    for (const other of ["", "data:", "https://example.org/a,b", "data:image,x", "data:image/png;base64,$$$"]) {
      assert.strictEqual(DataUri.parse(other), undefined, other)
    }
  })

  it("writes what it reads", () => {
    for (const uri of ["data:image/png;base64,iVBORw0KGgo=", "data:text/plain;charset=utf-8;base64,aGk="]) {
      assert.strictEqual(DataUri.format(DataUri.parse(uri)!), uri)
    }
    assert.strictEqual(DataUri.format({ mediaType: "image/png", data: "" }), "data:image/png;base64,")
  })
})
