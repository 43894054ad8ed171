import { type Headers, header } from '../access/headers.ts'

/**
 * True if the client prefers HTML over JSON, like a browser. JSON wins a tie.
 *
 * @see RFC 9110 §12.5.1
 */
export function prefersHtml(headers: Headers): boolean {
  const accept = header(headers, 'accept')
  if (accept === null) return false
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json')
}

/** The weight of a media type: that of the most specific range that includes it. */
function qualityOf(accept: string, type: string): number {
  const [family] = type.split('/')
  const ranges = [type, `${family}/*`, '*/*']
  const weights = accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const index = ranges.indexOf(range)
    if (index < 0) return []
    const quality = parameters.map((text) => /^q=([01](?:\.\d{0,3})?)$/.exec(text)?.[1])
    return [{ place: index, quality: Number(quality.find((found) => found !== undefined) ?? 1) }]
  })
  return weights.toSorted((a, b) => a.place - b.place)[0]?.quality ?? 0
}
