import { type Better, contract, recordFamilies, versioned } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { valueAt } from '../../json-pointer.ts'

type Unit = contract.DecisionUnit

export interface Figure {
  readonly label: string
  readonly unit: Unit
  readonly better: Better
  readonly asset?: string
}
/** A figure, or the reason a pack cannot use the field. */
export type Measured = Figure | { readonly problem: string }

type Schema = Readonly<Record<string, unknown>>
/** An annotation, and the path of the annotated field. */
interface Annotation {
  readonly text: string
  readonly at: readonly string[]
}
interface Trail {
  readonly at: readonly string[]
  readonly titles: readonly Annotation[]
  readonly unit?: Annotation
  readonly asset?: Annotation
  readonly better?: Annotation
}

const schemas: ReadonlyMap<string, Schema> = new Map(
  recordFamilies.map(({ type, payload }) => [type, versioned(type, payload) as unknown as Schema]),
)

/**
 * Unit, asset, label and direction of the field at a pointer, from the schema of its kind of record.
 *
 * @see packages/contract/src/measures.ts for the annotations
 */
export function measureAt(record: VersionedRecord, pointer: string): Measured {
  const schema = schemas.get(record.resourceType)
  const parts = pointer.split('/').slice(1).map(unescaped)
  const found = schema && follow(schema, parts, record, { at: [], titles: [] })
  if (!found) return { problem: `no schema of ${record.resourceType} describes it` }
  const { leaf, trail } = found
  const value = valueAt(record, pointer)
  const isOwn = trail.unit?.at.length === trail.at.length
  if (!isOwn && !isNumeric(leaf, value)) return wordOf(record, trail, value)
  return figureOf(record, trail)
}

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')
const pointerTo = (parts: readonly string[]) =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * Follows a schema along a value. In a union, the first variant that fits the value and completes
 * the path counts.
 */
function follow(
  schema: Schema,
  parts: readonly string[],
  value: unknown,
  before: Trail,
): { readonly leaf: Schema; readonly trail: Trail } | null {
  const trail = withAnnotations(schema, before)
  if (Array.isArray(schema.anyOf)) {
    for (const variant of schema.anyOf as Schema[]) {
      const found = follow(variant, parts, value, trail)
      if (found) return found
    }
    return null
  }
  const [part, ...rest] = parts
  if (part === undefined) return admits(schema, value) ? { leaf: schema, trail } : null
  const member = memberOf(schema, part, value)
  if (!member) return null
  return follow(member, rest, valueAt(value, pointerTo([part])), {
    ...trail,
    at: [...trail.at, part],
  })
}

function withAnnotations(schema: Schema, trail: Trail): Trail {
  const { at, titles } = trail
  const readKeyword = (keyword: string) => {
    const text = schema[keyword]
    return typeof text === 'string' ? { text, at } : undefined
  }
  const title = readKeyword('x-title')
  const [unit, asset, better] = [
    readKeyword('x-unit') ?? trail.unit,
    readKeyword('x-asset') ?? trail.asset,
    readKeyword('x-better') ?? trail.better,
  ]
  return {
    at,
    titles: title ? [...titles, title] : titles,
    ...(unit ? { unit } : {}),
    ...(asset ? { asset } : {}),
    ...(better ? { better } : {}),
  }
}

function memberOf(schema: Schema, part: string, value: unknown): Schema | null {
  const { properties, items, additionalProperties } = schema
  if (typeof properties === 'object' && properties !== null) {
    const members = properties as Readonly<Record<string, Schema>>
    const isOther = Object.entries(members).some(([name, member]) => {
      const own = valueAt(value, pointerTo([name]))
      return 'const' in member && own !== undefined && !admits(member, own)
    })
    return !isOther && Object.hasOwn(members, part) ? (members[part] ?? null) : null
  }
  if (Array.isArray(value)) return (items as Schema | undefined) ?? null
  return typeof additionalProperties === 'object' ? (additionalProperties as Schema) : null
}

function admits(schema: Schema, value: unknown): boolean {
  if ('const' in schema) return schema.const === value
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'string':
    case 'boolean':
      return typeof value === schema.type
    default:
      return false
  }
}

/** True if a schema accepts decimals only. */
export function isNumeric({ pattern }: Schema, value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number'
  if (typeof pattern !== 'string') return false
  const form = new RegExp(pattern)
  return form.test('10') && !form.test('xx')
}

/** A flag, time or text. Its format determines the unit. */
function wordOf(record: VersionedRecord, trail: Trail, value: unknown): Measured {
  const unit =
    typeof value === 'boolean' ? 'FLAG' : /^[0-9]{4}-[0-9]{2}/.test(`${value}`) ? 'TIME' : 'TEXT'
  const hasTitle = trail.titles.at(-1)?.at.length === trail.at.length
  const name = trail.at.findLast((part) => !/^[0-9]+$/.test(part))
  const label = [
    ...labelParts(record, trail),
    ...(hasTitle || name === undefined ? [] : [spelledOut(name)]),
  ]
  return { label: label.join(separator), unit, better: 'NEITHER' }
}

const separator = ' · '

function spelledOut(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function figureOf(record: VersionedRecord, trail: Trail): Measured {
  const statement = read(record, trail.unit)
  // Research metrics use different unit names.
  const unit = statement === 'QUOTE_ATOMS' ? 'ATOMS' : statement
  if (!isUnit(unit)) return { problem: 'its schema defines no unit' }
  const label = labelParts(record, trail).join(separator)
  const direction = read(record, trail.better)
  const better = direction === 'HIGHER' || direction === 'LOWER' ? direction : 'NEITHER'
  if (unit !== 'ATOMS') return { label, unit, better }
  const asset = assetOf(record, trail.asset)
  return asset === null
    ? { problem: 'the record does not name the asset of its atoms' }
    : { label, unit, better, asset }
}

const isUnit = (unit: unknown): unit is Unit => contract.decisionUnits.some((one) => one === unit)

const labelParts = (record: VersionedRecord, { titles }: Trail): string[] =>
  titles.map(({ text, at }) =>
    text.replaceAll(/\{([^}]+)\}/g, (_, text: string) => {
      const pointer = absolute({ text, at })
      return pointer === null ? '?' : `${valueAt(record, pointer) ?? '?'}`
    }),
  )

/** Resolves an annotation to an absolute pointer; null for plain text. */
function absolute({ text, at }: Annotation): string | null {
  if (text.startsWith('/')) return text
  const relative = /^([0-9]+)((?:\/.*)?)$/.exec(text)
  if (!relative) return null
  return `${pointerTo(at.slice(0, at.length - Number(relative[1])))}${relative[2]}`
}

function read(record: VersionedRecord, statedValue: Annotation | undefined): unknown {
  if (!statedValue) return undefined
  const pointer = absolute(statedValue)
  return pointer === null ? statedValue.text : valueAt(record, pointer)
}

/** Asset key in the record. A token address belongs to the chain next to it. */
function assetOf(record: VersionedRecord, statement: Annotation | undefined): string | null {
  const pointer = statement ? absolute(statement) : null
  if (pointer === null) return null
  const named = valueAt(record, pointer)
  if (typeof named !== 'string') return null
  if (!/^0x[0-9a-fA-F]{40}$/.test(named)) return named
  const chainId = valueAt(record, `${pointer.slice(0, pointer.lastIndexOf('/'))}/chainId`)
  return typeof chainId === 'number' ? `eip155:${chainId}/erc20:${named.toLowerCase()}` : null
}
