/** The headers of a request, as Node parses them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

export function header(headers: Headers, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

/** One cookie of a Cookie header, or null. */
export function cookieOf({ cookie }: Headers, name: string): string | null {
  if (typeof cookie !== 'string') return null
  for (const pair of cookie.split(';')) {
    const split = pair.indexOf('=')
    if (split > 0 && pair.slice(0, split).trim() === name) return pair.slice(split + 1).trim()
  }
  return null
}
