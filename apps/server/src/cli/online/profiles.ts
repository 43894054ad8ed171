import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AdministrationError } from '../../access/administration.ts'

/** Address of a deployment, organization and credential. */
export interface Profile {
  readonly baseUrl: string
  readonly organizationId: string
  /** An API key, or a token of an OAuth client. */
  readonly token: string
}

interface StoredProfiles {
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

type Environment = Readonly<Record<string, string | undefined>>

const nothing: StoredProfiles = { current: null, profiles: {} }

/** The file of the profiles, which only its owner may read. */
export function profilesPath({ XDG_CONFIG_HOME, LIQUIDITY_PROFILES }: Environment): string {
  if (LIQUIDITY_PROFILES) return LIQUIDITY_PROFILES
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'liquidity', 'profiles.json')
}

export function readProfiles(environment: Environment): StoredProfiles {
  const path = profilesPath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing
    throw error
  }
  try {
    const stored = JSON.parse(text) as Partial<StoredProfiles>
    return { current: stored.current ?? null, profiles: stored.profiles ?? {} }
  } catch {
    throw new AdministrationError(
      `${path} is not valid JSON. Delete it and add the profiles again.`,
    )
  }
}

/**
 * Writes a temporary file and renames it, so a crash leaves either the old or the new file intact.
 */
function writeProfiles(environment: Environment, stored: StoredProfiles): void {
  const path = profilesPath(environment)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const own = `${path}.${process.pid}`
  writeFileSync(own, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  chmodSync(own, 0o600)
  renameSync(own, path)
}

/** Stores a named profile and makes it current. */
export function addProfile(environment: Environment, name: string, profile: Profile): void {
  const { profiles } = readProfiles(environment)
  writeProfiles(environment, { current: name, profiles: { ...profiles, [name]: profile } })
}

export function useProfile(environment: Environment, name: string): void {
  const stored = readProfiles(environment)
  requireKnown(stored, name)
  writeProfiles(environment, { ...stored, current: name })
}

export function removeProfile(environment: Environment, name: string): void {
  const stored = readProfiles(environment)
  requireKnown(stored, name)
  const { [name]: _removed, ...profiles } = stored.profiles
  const current = stored.current === name ? (Object.keys(profiles)[0] ?? null) : stored.current
  writeProfiles(environment, { current, profiles })
}

/**
 * Profile of a command: the named one, else the environment, else the current one.
 *
 * @throws AdministrationError with a remedy if no profile exists
 */
export function profileOf(environment: Environment, name: string | undefined): Profile {
  const { LIQUIDITY_URL, LIQUIDITY_ORGANIZATION, LIQUIDITY_API_KEY } = environment
  if (name === undefined && LIQUIDITY_URL && LIQUIDITY_ORGANIZATION && LIQUIDITY_API_KEY) {
    return {
      baseUrl: LIQUIDITY_URL,
      organizationId: LIQUIDITY_ORGANIZATION,
      token: LIQUIDITY_API_KEY,
    }
  }
  const stored = readProfiles(environment)
  const requested = name ?? environment.LIQUIDITY_PROFILE ?? stored.current
  if (requested === null || requested === undefined) {
    throw new AdministrationError(
      'No profile selects a deployment. Add one:\n  liquidity profile add NAME --url https://… --organization org_… < key.txt\nor set LIQUIDITY_URL, LIQUIDITY_ORGANIZATION and LIQUIDITY_API_KEY.',
    )
  }
  requireKnown(stored, requested)
  // Every known name has a profile.
  return stored.profiles[requested]!
}

function requireKnown({ profiles }: StoredProfiles, name: string): void {
  if (Object.hasOwn(profiles, name)) return
  const known = Object.keys(profiles).join(', ') || 'none'
  throw new AdministrationError(`Unknown profile ${name}. Known: ${known}.`)
}
