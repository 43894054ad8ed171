import type { Database } from '../../src/store/database/database.ts'
import type { SentStatement } from './sent-statements.ts'

/** Tables that a statement touches in a database sharded by `organization_id`. */
export interface ShardReach {
  /** Organization tables in its plan, and custom functions that use such tables. */
  readonly touched: readonly string[]
  /** Touched tables without a restriction to the organization, which would query every shard. */
  readonly unbound: readonly string[]
  /** Deployment tables that it also touches. */
  readonly deploymentTables: readonly string[]
}

/** Plan node conditions that its rows must all satisfy. */
const conditions = [
  ...(['Index Cond', 'Recheck Cond', 'Filter'] as const),
  ...(['Hash Cond', 'Merge Cond', 'Join Filter'] as const),
]

/** The part of a plan that is read here; see `EXPLAIN (VERBOSE, FORMAT JSON)`. */
interface PlanNode extends Readonly<Partial<Record<(typeof conditions)[number], string>>> {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Join Type'?: string
  readonly Operation?: string
  readonly Schema?: string
  readonly Alias?: string
  readonly Output?: readonly string[]
  readonly Plans?: readonly PlanNode[]
}

interface Catalog {
  /** Column index of `organization_id` in each organization table, from 0. */
  readonly tables: ReadonlyMap<string, number>
  readonly functions: readonly string[]
}

/**
 * Determines from the plan whether one shard can execute a statement. Each organization table must
 * be restricted to the organization by a constant, or by equality with such a table.
 *
 * The plan is created with a role that bypasses row-level security, so it shows the statement's own
 * conditions.
 *
 * @throws Error if the role of the pool is subject to row-level security
 */
export async function shardReach(
  database: Database,
): Promise<(statement: Sent) => Promise<ShardReach>> {
  const catalog = await readCatalog(database)
  return async (statement) => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain (verbose, format json) ${statement.text}`,
    )
    const [{ Plan }] = JSON.parse(rows[0]!['QUERY PLAN']) as [{ Plan: PlanNode }]
    return reachOf(Plan, statement, catalog)
  }
}

type Sent = Pick<SentStatement, 'text' | 'form' | 'organizationId'>

async function readCatalog(database: Database): Promise<Catalog> {
  const queryRows = async (text: string) =>
    (await database.pool.query<Record<string, string>>(text)).rows
  const [role] = await queryRows(
    `select (rolsuper or rolbypassrls)::text as passes from pg_roles where rolname = current_user`,
  )
  if (role?.passes !== 'true') throw new Error('Plans of this role show row-level security.')
  const tables = await queryRows(`select c.relname as name, a.attnum - 1 as place from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and a.attname = 'organization_id'`)
  const functions = await queryRows(`select p.proname as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosrc ~ '\\m(${tables.map(({ name }) => name).join('|')})\\M'`)
  return {
    tables: new Map(tables.map(({ name, place }) => [name!, Number(place)])),
    functions: functions.map(({ name }) => name!),
  }
}

function reachOf(plan: PlanNode, { form, organizationId }: Sent, catalog: Catalog): ShardReach {
  const nodes = nodesOf(plan)
  const isConstant = isConstantOf(organizationId)
  const bound = boundAliases(nodes, isConstant)
  const touched: string[] = []
  const unbound: string[] = []
  const shared: string[] = []
  const touch = (name: string, isBound: boolean) => {
    touched.push(name)
    if (!isBound) unbound.push(name)
  }
  for (const node of nodes) {
    const { 'Relation Name': table = '', Schema, Alias = '', Operation } = node
    const index = Schema === 'public' ? catalog.tables.get(table) : undefined
    // A function in FROM has a schema too, and no table.
    if (Schema === 'public' && table !== '' && index === undefined) shared.push(table)
    if (index !== undefined && Operation === 'Insert') {
      touch(table, isOwnRow(insertedInto(node)[index] ?? '', { form, isConstant, bound }))
    } else if (index !== undefined && node['Node Type'] !== 'ModifyTable') {
      touch(table, bound.has(Alias))
    }
    for (const [, name = '', rest = ''] of (node.Output ?? []).flatMap((output) => [
      ...output.matchAll(/\b(\w+)\((.*)/g),
    ])) {
      if (catalog.functions.includes(name)) touch(name, isConstant(rest.split(',')[0]!))
    }
  }
  const deploymentTables = touched.length > 0 ? shared : []
  return {
    touched: distinct(touched),
    unbound: distinct(unbound),
    deploymentTables: distinct(deploymentTables),
  }
}

const distinct = (names: readonly string[]) => [...new Set(names)].sort()

type IsConstant = (expression: string) => boolean

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/**
 * True if a plan expression is the organization as a constant; any constant if the transaction has
 * no organization.
 */
const isConstantOf = (organizationId: string | null) => (expression: string) => {
  const [, written] = /^'((?:[^']|'')*)'::text(?: COLLATE "C")?$/.exec(expression) ?? []
  return written !== undefined && (organizationId === null || written === organizationId)
}

/** Column expressions of the rows that a node inserts. */
function insertedInto(node: PlanNode): readonly string[] {
  const source = node.Plans?.find((plan) => plan['Parent Relationship'] === 'Outer')
  return source?.Output ?? []
}

/** Whether the organization of rows that are inserted is the constant, in a list of rows as elsewhere. */
function isOwnRow(
  output: string,
  { form, isConstant, bound }: { form: string; isConstant: IsConstant; bound: ReadonlySet<string> },
): boolean {
  // A plan hides the values of a row list. The form shows them, and matches this pattern if each
  // row starts with the organization.
  if (output.startsWith('"*VALUES*".')) return / values \(\{organization\}, …\)(?!,)/.test(form)
  const [, alias] = /^(\w+)\.organization_id$/.exec(output) ?? []
  return alias === undefined ? isConstant(output) : bound.has(alias)
}

/** Aliases whose `organization_id` is the constant, or equals that of such an alias. */
function boundAliases(nodes: readonly PlanNode[], isConstant: IsConstant): ReadonlySet<string> {
  const bound = new Set<string>()
  /** If the first alias is bound, so is the second. */
  const pairs: [string, string][] = []
  for (const node of nodes) {
    const restricted = restrictedBy(node)
    for (const [alias, other] of equalitiesOf(node)) {
      const [, peer] = /^(\w+)\.organization_id$/.exec(other) ?? []
      if (peer !== undefined && restricted.includes(alias)) pairs.push([peer, alias])
      if (peer !== undefined && restricted.includes(peer)) pairs.push([alias, peer])
      if (isConstant(other) && restricted.includes(alias)) bound.add(alias)
    }
  }
  for (let known = -1; known < bound.size; ) {
    known = bound.size
    for (const [from, to] of pairs) if (bound.has(from)) bound.add(to)
  }
  return bound
}

/** Expressions that a node's conditions require `organization_id` of an alias to equal. */
function equalitiesOf(node: PlanNode): [alias: string, other: string][] {
  return conditions
    .flatMap((name) => conjunctsOf(node[name] ?? ''))
    .flatMap((conjunct) => {
      const [, alias, other] = /^(\w+)\.organization_id = (.*)$/s.exec(conjunct) ?? []
      return alias === undefined || other === undefined ? [] : [[alias, other]]
    })
}

/**
 * Aliases whose rows a node drops if its condition is false: the scanned alias, or the join sides
 * that are not outer-preserved. A condition inside a subquery does not restrict the outer row.
 */
function restrictedBy(node: PlanNode): string[] {
  if (node.Alias !== undefined) return [node.Alias]
  const side = (name: string) =>
    (node.Plans ?? [])
      .filter((plan) => plan['Parent Relationship'] === name)
      .flatMap(nodesOf)
      .flatMap(({ Alias }) => Alias ?? [])
  const { 'Join Type': join = 'Inner' } = node
  if (join === 'Full') return []
  if (join === 'Left' || join === 'Anti') return side('Inner')
  if (join === 'Right' || join === 'Right Anti') return side('Outer')
  return [...side('Outer'), ...side('Inner')]
}

/** Conjuncts of a condition: the parts between its outermost ANDs. */
export function conjunctsOf(condition: string): string[] {
  const inner = withoutParentheses(condition)
  const parts: string[] = []
  let start = 0
  for (const at of outermost(inner)) {
    if (!inner.startsWith(' AND ', at)) continue
    parts.push(withoutParentheses(inner.slice(start, at)))
    start = at + ' AND '.length
  }
  return [...parts, withoutParentheses(inner.slice(start))]
}

function withoutParentheses(text: string): string {
  // Within one pair alone, no character but the last closing parenthesis is outermost.
  const isEnclosed = text.startsWith('(') && outermost(text).every((at) => at === text.length - 1)
  return isEnclosed ? withoutParentheses(text.slice(1, -1)) : text
}

/** Places of characters within no parentheses and no literal; a closing parenthesis counts as outside. */
function outermost(text: string): number[] {
  const places: number[] = []
  let depth = 0
  let isLiteral = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === "'") isLiteral = !isLiteral
    else if (!isLiteral && character === '(') depth += 1
    else if (!isLiteral && character === ')') depth -= 1
    if (depth === 0 && !isLiteral) places.push(at)
  }
  return places
}
