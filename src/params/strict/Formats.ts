/** Tells texts of one format from those of another, well enough to find the member of a union that they are of. */

const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?`
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

const formats: { readonly [format: string]: RegExp } = {
  date: new RegExp(`^${date}$`),
  time: new RegExp(`^${time}$`, "i"),
  "date-time": new RegExp(`^${date}[t ]${time}$`, "i"),
  duration: /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/,
  email: /^[^\s@]+@[^\s@]+$/,
  hostname: new RegExp(`^${label}(?:\\.${label})*\\.?$`, "i"),
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  ipv6: /^(?=.*:)[0-9a-f:.]+$/i,
  uri: /^[a-z][a-z0-9+.-]*:\S*$/i,
  uuid: /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
}

/** Has the text the format? Of a format that is not known, any text may be. */
export const isOfFormat = (format: string, text: string): boolean =>
  !Object.hasOwn(formats, format) || formats[format]!.test(text)
