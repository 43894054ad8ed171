/** Generates a provider name: its host, with a number if the name is taken. */
export function nameFor(host: string, taken: ReadonlySet<string>): string {
  const plain = host
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '')
  const base = plain === '' ? 'provider' : /^[a-z]/.test(plain) ? plain : `node-${plain}`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!taken.has(name)) return name
  }
}
