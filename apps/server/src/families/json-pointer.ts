/**
 * Value at a JSON pointer of a document.
 *
 * Reads only own fields, never inherited ones. A list index has no leading zeros.
 *
 * @param pointer starts with `/`
 * @returns undefined if absent
 * @see RFC 6901
 */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => memberOf(value, part), document)
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return /^(0|[1-9][0-9]{0,8})$/.test(name) ? value[Number(name)] : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
