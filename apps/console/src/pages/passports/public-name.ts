/** Limit of the service for a public name. */
const maxLength = 63
/** Leaves room for the name of the organization and a number. */
const maxPairLength = 32

export const isPublicName = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/.test(text)

/**
 * The problem of a public name; null if the vault can use it.
 *
 * @param otherVault name of another vault whose passport has this public name
 */
export const findNameFault = (name: string, otherVault: string | null): string | null =>
  !isPublicName(name)
    ? 'Use 3 to 63 lower-case letters, digits and hyphens, such as example-token.'
    : otherVault === null
      ? null
      : `This public name belongs to the passport of ${otherVault}. Choose another name.`

/** Lower-case letters, digits and single hyphens; at most `limit` characters. */
const slugOf = (text: string, limit: number): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, limit)
    .replace(/-+$/, '')

/**
 * A public name from the name of the organization, which can contain any characters. Adds the pair
 * of the vault, then a number, if a passport of another vault has the name.
 *
 * @param isTaken true if a passport of another vault has the name
 */
export function proposePublicName(
  organizationName: string,
  pairName: string,
  isTaken: (name: string) => boolean,
): string {
  const plain = slugOf(organizationName, maxLength)
  if (!isTaken(plain)) return plain
  const pair = slugOf(pairName, maxPairLength)
  const extend = (...parts: readonly string[]) => {
    const end = parts.filter((part) => part !== '').join('-')
    return end === '' ? plain : `${slugOf(plain, maxLength - end.length - 1)}-${end}`
  }
  let name = extend(pair)
  for (let number = 2; isTaken(name); number++) name = extend(pair, `${number}`)
  return name
}
