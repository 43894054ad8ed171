import type { ConsoleArea } from '@liquidity-os/contract'
import { families, familyOfId, familyOfKey, index, placeOf } from './families.ts'
import type { FamilyEntry } from './types.ts'

/** A page of the console, below `/o/{organization}`, and its query. */
export interface Target {
  /** Without the first slash. */
  readonly path: string
  readonly search: Readonly<Record<string, string>>
}

/** What a path shows. */
export type Page =
  | { readonly kind: 'market'; readonly pairKey: string }
  | { readonly kind: 'watch-market' | 'all-records' | 'unknown' | TaskPage }
  | { readonly kind: 'area'; readonly area: ConsoleArea }
  | { readonly kind: 'list' | 'compare'; readonly entry: FamilyEntry }
  | { readonly kind: 'record'; readonly entry: FamilyEntry; readonly id: string }
  | { readonly kind: 'redirect'; readonly target: Target }
  | { readonly kind: 'venue' | 'alert-notice'; readonly id: string }

export const { areas } = index

/** Pages that create a record, by the path of their area; each has the path `{area}/new`. */
const taskPages = {
  alerts: 'new-alert',
  proof: 'new-passport',
  proposals: 'new-proposal',
  settings: 'new-provider',
  studies: 'new-study',
} as const
type TaskPage = (typeof taskPages)[keyof typeof taskPages]
const isTaskArea = (path: string): path is keyof typeof taskPages => Object.hasOwn(taskPages, path)

/** Create operations with a page in place of a form, and the name of the task. */
export const createPages: Readonly<Record<string, { path: string; label: string }>> = {
  putOperatingSystemProvider: { path: 'settings/new', label: 'Add provider' },
  createProposals: { path: 'proposals/new', label: 'New proposal' },
  publishLiquidityPassport: { path: 'proof/new', label: 'New passport' },
}

const areaOf = (path: string) => areas.find((area) => area.path === path)

/** Paths of the first console, which bookmarks and emails still contain. */
const formerPaths: Readonly<Record<string, string>> = {
  'set-up': 'markets/new',
  'study-ranges': 'studies/new',
  market: 'markets',
}

const at = (path: string, search: Target['search'] = {}): Target => ({ path, search })

/** Tabs of an area with the families that they list, in order. */
export const tabsOf = (area: ConsoleArea) =>
  area.tabs.map((tab) => ({
    ...tab,
    families: families.filter(({ page }) => page === `${area.path}/${tab.key}`),
  }))

/** Page with the list of a family: its tab, and the section of the tab if it has several. */
export function listTarget(entry: FamilyEntry): Target {
  const [path = '', tab = ''] = entry.page.split('/')
  const inTab = families.filter(({ page }) => page === entry.page)
  const isFirst = inTab[0] === entry
  const isFirstTab = areaOf(path)?.tabs[0]?.key === tab
  return at(path, {
    ...(isFirst && isFirstTab ? {} : { tab }),
    ...(isFirst ? {} : { list: entry.key }),
  })
}

/** Page of a record. */
export function recordTarget(entry: FamilyEntry, id: string): Target {
  const area = areas.find(({ records }) => records === entry.key)
  return at(`${area?.path ?? `records/${entry.key}`}/${encodeURIComponent(id)}`)
}

/** Page that compares two records of a family. */
export const compareTarget = (entry: FamilyEntry, [a, b]: readonly [string, string]): Target =>
  at(`records/${entry.key}/compare`, { a, b })

/** Area of a path, or an empty text for Home. A record belongs to the area that lists its family. */
export function areaPathOf(path: string): string {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  if (first !== 'records') return first
  const [area = first] = placeOf(rest.join('/'))?.entry.page.split('/') ?? []
  return area
}

/** The page of a path. A path of the first console leads to its successor, with its query. */
export function pageOf(path: string, search: Target['search']): Page {
  const segments = path.split('/').filter(Boolean)
  const [first = '', ...rest] = segments
  const former = formerPaths[segments.join('/')]
  if (former) return redirect(at(former), search)
  if (first === 'market-map' && rest[0]) return redirect(at(`markets/${rest[0]}`), search)
  if (first === 'records') return recordsPage(rest)
  if (first === 'go') return goPage(rest[0], search)
  const area = areaOf(first)
  const own = area ? areaPage(area, rest) : null
  return own ?? formerFamilyPage(segments, search)
}

function recordsPage(rest: readonly string[]): Page {
  if (rest.length === 0) return { kind: 'all-records' }
  const found = placeOf(rest.join('/'))
  if (!found || found.rest.length > 1) return { kind: 'unknown' }
  const {
    entry,
    rest: [id],
  } = found
  if (id === undefined) return { kind: 'list', entry }
  return id === 'compare' ? { kind: 'compare', entry } : { kind: 'record', entry, id }
}

/** The record with an id of any family: emails link to it. */
function goPage(id: string | undefined, search: Target['search']): Page {
  // Alerts are named by their kind and subject.
  if (id?.includes(':')) return redirect(at(`alerts/${encodeURIComponent(id)}`), search)
  const entry = id === undefined ? null : familyOfId(id)
  return id === undefined || entry === null
    ? { kind: 'unknown' }
    : redirect(recordTarget(entry, id), search)
}

function areaPage(area: ConsoleArea, rest: readonly string[]): Page | null {
  const [id, ...more] = rest
  if (id === undefined) return { kind: 'area', area }
  if (more.length > 0) return null
  if (area.path === 'markets') {
    if (id === 'new') return { kind: 'watch-market' }
    return /^\d+-0x/.test(id) ? { kind: 'market', pairKey: id } : null
  }
  if (id === 'new' && isTaskArea(area.path)) return { kind: taskPages[area.path] }
  const entry = area.records === undefined ? null : familyOfKey(area.records)
  if (entry === null) return null
  // Alerts are named by their kind and subject; events name the record of their state.
  if (area.path === 'alerts' && /^alert_[0-9a-f]{32}$/.test(id)) return { kind: 'alert-notice', id }
  return id === 'compare' ? { kind: 'compare', entry } : { kind: 'record', entry, id }
}

/** Paths that began with the key of a family. */
function formerFamilyPage(segments: readonly string[], search: Target['search']): Page {
  const found = placeOf(segments.join('/'))
  if (!found || found.rest.length > 1) return { kind: 'unknown' }
  const {
    entry,
    rest: [id],
  } = found
  if (id === undefined) return redirect(listTarget(entry), search)
  if (id === 'compare') return redirect(at(`records/${entry.key}/compare`), search)
  // A form or a part of the venue's record is not on the page of its market.
  if (entry.key === 'venues' && search.form === undefined && search.tab === undefined)
    return { kind: 'venue', id }
  return redirect(recordTarget(entry, id), search)
}

const redirect = ({ path, search }: Target, given: Target['search']): Page => ({
  kind: 'redirect',
  target: { path, search: { ...search, ...given } },
})

/** The part of a query that selects the tab and its list, without filters and forms. */
export const pageSearch = ({ tab, list }: Readonly<Record<string, string | undefined>>) => ({
  ...(tab === undefined ? {} : { tab }),
  ...(list === undefined ? {} : { list }),
})
