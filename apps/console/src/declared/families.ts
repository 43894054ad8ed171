import { load as printedFiles, index as printedIndex } from 'virtual:declarations'
import type { ConsoleIndex, FamilyEntry, FamilyFile } from './types.ts'

// The build prints both from the contract; an ambient module cannot name types from here.
export const index = printedIndex as ConsoleIndex
const load = printedFiles as Readonly<Record<string, () => Promise<{ default: FamilyFile }>>>

export const families: readonly FamilyEntry[] = index.families

const byKey = new Map(families.map((entry) => [entry.key, entry]))
const byPrefix = new Map(families.flatMap((entry) => (entry.prefix ? [[entry.prefix, entry]] : [])))
const byType = new Map(families.flatMap((entry) => (entry.type ? [[entry.type, entry]] : [])))

/** The family whose list has this path. */
export const familyOfKey = (key: string): FamilyEntry | null => byKey.get(key) ?? null

/** The family of a record, from the prefix of its id. */
export const familyOfId = (id: string): FamilyEntry | null =>
  byPrefix.get(id.slice(0, id.lastIndexOf('_'))) ?? null

export const familyOfType = (type: string): FamilyEntry | null => byType.get(type) ?? null

/**
 * The family of a console path, and the rest of the path after its key. The longest key wins,
 * because one key can be a prefix of another.
 */
export function placeOf(path: string): { entry: FamilyEntry; rest: string[] } | null {
  const segments = path.split('/').filter(Boolean)
  for (let length = Math.min(segments.length, 3); length > 0; length--) {
    const entry = byKey.get(segments.slice(0, length).join('/'))
    if (entry) return { entry, rest: segments.slice(length) }
  }
  return null
}

/** Contract data for the pages of a family; fetched once. */
export async function loadFamily(key: string): Promise<FamilyFile> {
  const loader = load[key]
  if (!loader) throw new Error(`The contract declares no family at ${key}.`)
  return (await loader()).default
}

/** True if the role has the permission of an operation. */
export const permits = (role: string, permission: string | undefined): boolean =>
  permission === undefined || (index.permissionsOf[role]?.includes(permission) ?? false)

/** Roles with the permission, widest first. Shown to users without it. */
export const rolesThatMay = (permission: string): string[] =>
  Object.keys(index.permissionsOf).filter((role) => permits(role, permission))
