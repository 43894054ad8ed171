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

/** Licenses missing from a package's manifest, read from its license file. */
const readLicenses: Readonly<Record<string, string>> = {
  'png-js@2.0.0': 'MIT',
  // `LICENSE`: Bitstream Vera and Arev, one text for two owners; what DejaVu changed is in the public domain.
  'dejavu-fonts-ttf@2.37.3': 'Bitstream-Vera',
}

/** Licenses that require at most attribution, so every operator may use the packages freely. */
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
 * Packages that `npm ci --omit=dev --workspace …` installs on any platform, sorted by name.
 *
 * Like npm, this follows all dependencies of the workspace, including development and optional peer
 * ones. It then drops packages that the lock file marks as development only. A tool that a
 * production package may use therefore stays in the list.
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

/**
 * Resolves a package name from the folder `from`; null if an optional package is not in the lock
 * file.
 */
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
