/** What the lock file says of one place in `node_modules`. */
interface LockedPackage {
  name?: string
  version?: string
  license?: string
  link?: boolean
  resolved?: string
  dev?: boolean
  hasInstallScript?: boolean
  engines?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
export interface LockFile {
  packages: Record<string, LockedPackage>
}

export interface ProductionPackage {
  name: string
  version: string
  license: string
}

/** Licences that are not named in the manifest of a package, as read in the file that it ships. */
const readLicenses: Readonly<Record<string, string>> = {
  // `LICENSE`, the text of the MIT licence.
  'png-js@2.0.0': 'MIT',
  // `LICENSE`: Bitstream Vera and Arev, one text for two owners; what DejaVu changed is in the public domain.
  'dejavu-fonts-ttf@2.37.3': 'Bitstream-Vera',
}

/** Licences that ask for no more than to be named, or for nothing at all: whoever installs the service may do so as they please. */
const permissive: ReadonlySet<string> = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'Bitstream-Vera',
    'Unlicense',
  ],
])

/**
 * What `npm ci --omit=dev --workspace …` installs, on any platform, in the order of the names.
 *
 * As npm does, it follows every dependency of the workspace, those for development and optional peers too, and then leaves out
 * what the lock file marks as wanted for development only. So a tool that a package of production may use is found here.
 *
 * @param workspace its folder in the repository, such as `apps/server`
 */
export function productionPackages(lock: LockFile, workspace: string): ProductionPackage[] {
  const places = new Set([workspace])
  for (const place of places) {
    for (const name of dependenciesOf(found(lock, place))) {
      const next = resolvePlace(lock, place, name)
      if (next !== null) places.add(next)
    }
  }
  const packages = [...places]
    .filter((place) => place.includes('node_modules/') && !found(lock, place).dev)
    .map((place) => productionPackage(place, found(lock, place)))
  // A space sorts before every character of a name.
  const distinct = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]))
  return [...distinct.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** Whether one of the alternatives that the expression offers is permissive in all its parts. */
export function isPermissive(license: string): boolean {
  const alternatives = license.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((all) => all.split(' AND ').every((part) => permissive.has(part)))
}

function dependenciesOf(locked: LockedPackage): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = locked
  const all = [dependencies, devDependencies, optionalDependencies, peerDependencies]
  return all.flatMap((names) => Object.keys(names ?? {}))
}

/** Where the package of a name lies for one that lies at `from`; null where an optional one is not locked. */
function resolvePlace(lock: LockFile, from: string, name: string): string | null {
  for (let folder: string | null = from; folder !== null; folder = parentOf(folder)) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const locked = lock.packages[place]
    if (locked?.link) return locked.resolved ?? null
    if (locked) return place
  }
  return null
}

function parentOf(folder: string): string | null {
  if (folder === '') return null
  return folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : ''
}

function productionPackage(place: string, locked: LockedPackage): ProductionPackage {
  const name = locked.name ?? place.slice(place.lastIndexOf('node_modules/') + 13)
  const { version } = locked
  if (version === undefined) throw new Error(`The lock file knows no version of ${place}.`)
  const license = readLicenses[`${name}@${version}`] ?? locked.license
  if (license === undefined)
    throw new Error(`Read the licence of ${name}@${version} and write it into readLicenses.`)
  return { name, version, license }
}

function found(lock: LockFile, place: string): LockedPackage {
  const locked = lock.packages[place]
  if (!locked) throw new Error(`The lock file knows no ${place}.`)
  return locked
}
