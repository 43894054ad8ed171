import {
  basePath,
  consoleAreas,
  extensionOperations,
  type Family,
  type FamilyUi,
  families,
  isGuarded,
  type Operation,
  operations,
  parametersOf,
  permissionsOf,
  queryOf,
  type RecordFamily,
  responseOf,
  splitMeasure,
} from '@liquidity-os/contract'
import type {
  ConsoleIndex,
  FamilyEntry,
  FamilyFile,
  OperationFile,
  Schema,
} from '../src/declared/types.ts'

/** The index for the shell, without schemas, and one file per family for its pages. */
export interface Printed {
  index: ConsoleIndex
  files: ReadonlyMap<string, FamilyFile>
}

/**
 * Record pages that the service renders as charts, with the module name if it differs. Chart routes
 * are no operations, so the contract does not list them.
 */
const drawn: ReadonlyMap<string, string> = new Map([
  ...[
    ...['allocation-plans', 'agent-runs', 'anomalies', 'attributions', 'autonomy-policies'],
    ...['decision-packs', 'incentive-programs', 'launch-plans', 'market-maker-mandates'],
    ...['migration-plans', 'partners', 'passports', 'projects', 'proposals', 'scores'],
    ...['treasury-stress-tests'],
    ...['unlock-impacts', 'vaults', 'venues'],
  ].map((key) => [key, key] as const),
  ['partner-consents', 'partners'],
  ['partner-domain-challenges', 'partners'],
  ['proposal-comparisons', 'proposals'],
  ['protected-execution-plans', 'protected-execution'],
  ['studies', 'study-reports'],
  ['treasury/assumptions', 'treasury-assumptions'],
  ['treasury/project-control/proofs', 'project-control'],
  ['treasury/projections', 'treasury-projections'],
  ['treasury/reconciliations', 'treasury-reconciliations'],
  ['workflows/runs', 'workflows'],
])

/** Families of a tab in this order; others follow. */
const order = [
  ...['Market quality', 'Observations', 'Strategies', 'Wallets', 'Runway', 'Vaults', 'Partners'],
  ...['Projects', 'Agent runs', 'Proof log'],
]

type Shown = Family & { ui: FamilyUi } & Partial<RecordFamily>

/** Prints every family that has a ui. Same contract, same text. */
export function printDeclarations(): Printed {
  const served = [...operations, ...extensionOperations].filter(isGuarded)
  const faced = families
    .filter((family): family is Shown => family.ui !== undefined)
    .map((family) => ({ family, own: ownOf(family, served) }))
    .filter(({ own }) => own.length > 0)
    .map(({ family, own }) => ({ family, own, key: keyOf(own) }))
  const keys = faced.map(({ key }) => key)
  const files = new Map(
    faced.map(({ family, own, key }) => [
      key,
      fileOf(family, key, operationsOf(own, served, key, keys)),
    ]),
  )
  const pages = consoleAreas.flatMap(({ path, tabs }) => tabs.map(({ key }) => `${path}/${key}`))
  const rankOf = ({ entry }: FamilyFile) =>
    pages.indexOf(entry.page) * 100 + ((order.indexOf(entry.task) + 100) % 100)
  const ordered = [...files.values()].sort((a, b) => rankOf(a) - rankOf(b))
  return {
    index: {
      basePath,
      areas: consoleAreas,
      permissionsOf,
      families: ordered.map(({ entry }) => entry),
    },
    files,
  }
}

/** Operations that the family declares, plus operations of other families that its `ui` names. */
function ownOf({ operations: declared, ui }: Shown, served: readonly Operation[]): Operation[] {
  const named = Object.keys(ui.actions ?? {})
  return served.filter((one) => declared.includes(one) || named.includes(one.id))
}

/** The path of its list, else the shortest that names no record. */
function keyOf(own: readonly Operation[]): string {
  const plain = own.filter(({ path }) => !path.includes('{'))
  const list = plain.find((one) => one.method === 'GET' && responseOf(one).wrap === 'collection')
  const shortest = plain.toSorted((a, b) => a.path.length - b.path.length)[0]
  const found = list ?? shortest
  if (!found) throw new Error('A family with a ui has an operation without a parameter.')
  return found.path.slice(1)
}

/**
 * An operation on one record belongs to the page that its path is under, regardless of the
 * declaring family.
 */
function operationsOf(
  own: readonly Operation[],
  served: readonly Operation[],
  key: string,
  keys: readonly string[],
): Operation[] {
  const isElsewhere = ({ path }: Operation) =>
    keys.some((other) => other !== key && path.startsWith(`/${other}/{`))
  const below = served.filter(({ path }) => path.startsWith(`/${key}/{`))
  return [...new Set([...own.filter((one) => !isElsewhere(one)), ...below])]
}

function fileOf(family: Shown, key: string, all: readonly Operation[]): FamilyFile {
  const defs: Record<string, Schema> = {}
  const print = (schema: unknown) => hoist(JSON.parse(JSON.stringify(schema)), defs)
  const { ui, type, prefix, title, columns, moves, needs, events, subject } = family
  const find = (test: (one: Operation) => boolean) => all.find(test)?.id ?? null
  const list = all.find((one) => one.path === `/${key}` && one.method === 'GET')
  const get = find(
    (one) => one.method === 'GET' && isOne(one, key) && responseOf(one).wrap === 'data',
  )
  const isChange = ({ method }: Operation) => method !== 'GET'
  const item = list && responseOf(list)
  const one = ui.noun?.[0] ?? family.name ?? ui.task.toLowerCase().replace(/s$/, '')
  const isRecord =
    type !== undefined && list !== undefined && key !== 'alerts' && key !== 'schedules'
  const creates = all
    .filter((each) => isChange(each) && !isPreview(each) && countOf(each.path) === 0)
    .toSorted((a, b) => Number(isTrial(a, key)) - Number(isTrial(b, key)))
    .map(({ id }) => id)
  const changes = all
    .filter((each) => isChange(each) && countOf(each.path) === 1)
    .map(({ id }) => id)
  const entry: FamilyEntry = {
    key,
    one,
    many: ui.noun?.[1] ?? family.plural ?? ui.task.toLowerCase(),
    page: ui.page,
    task: ui.task,
    icon: ui.icon,
    summary: ui.summary,
    title: ui.title ?? title ?? null,
    ...(prefix ? { prefix } : {}),
    ...(type ? { type } : {}),
    permission: list?.permission ?? 'read',
    creates,
    changes,
    isListed: list !== undefined,
  }
  return {
    entry,
    isRecord,
    operations: Object.fromEntries(all.map((each) => [each.id, printOperation(each, print)])),
    list: list?.id ?? null,
    get,
    creates,
    changes,
    reads: all
      .filter((each) => !isChange(each) && countOf(each.path) === 1 && each.id !== get)
      .map(({ id }) => id),
    columns: ui.columns ?? columns ?? [],
    head: ui.head ?? [],
    empty: ui.empty ?? null,
    actions: ui.actions ?? {},
    moves: moves ?? null,
    needs: needs ?? {},
    events: events ?? [],
    subject: subject ?? null,
    drawnIn: drawn.get(key) ?? null,
    item: item && 'schema' in item ? print(item.schema) : null,
    defs,
  }
}

/** A preview below the list, or a run in the sandbox: it creates no record, and comes last. */
const isTrial = ({ path }: Operation, key: string) =>
  path.startsWith(`/${key}/`) || /^\/sandbox\/|-preview$/.test(path)
/** Previews for sliders. They store no record, so they get no create form. */
const isPreview = ({ path, isExtension }: Operation) => isExtension && path.endsWith('/preview')
const countOf = (path: string) => path.split('{').length - 1
const isOne = ({ path }: Operation, key: string) =>
  path.startsWith(`/${key}/{`) && /^\/\{\w+\}$/.test(path.slice(key.length + 1))

function printOperation(operation: Operation, print: (schema: unknown) => Schema): OperationFile {
  const { id, method, path, summary, description, permission, body, example } = operation
  const { idempotency, precondition, reauthentication, bodyType, paging } = operation
  const all = (schemas: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, print(schema)]))
  return {
    id,
    method,
    path,
    summary,
    description,
    ...(permission ? { permission } : {}),
    ...(idempotency ? { idempotency } : {}),
    ...(precondition ? { precondition } : {}),
    ...(reauthentication ? { reauthentication } : {}),
    ...(bodyType ? { bodyType } : {}),
    ...(paging ? { maximumLimit: paging.maximumLimit } : {}),
    params: all(parametersOf(operation)),
    query: all(queryOf(operation)),
    body: body ? print(body) : null,
    wrap: responseOf(operation).wrap,
    ...(example ? { example } : {}),
  }
}

/** Puts every named schema aside once, and a reference to it in its place. */
function hoist(node: unknown, defs: Record<string, Schema>): Schema {
  if (typeof node !== 'object' || node === null) return node as Schema
  if (Array.isArray(node)) return node.map((each) => hoist(each, defs)) as unknown as Schema
  const { 'x-name': name, ...members } = splitMeasure(node as Record<string, unknown>).others
  const printed = Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, hoist(value, defs)]),
  )
  if (typeof name !== 'string') return printed
  defs[name] = printed
  return { $ref: name }
}
