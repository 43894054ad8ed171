import {
  type FieldErrors,
  measureKeywords,
  type Operation,
  operationById,
  parametersOf,
  parsePastedAddress,
  queryOf,
} from '@liquidity-os/contract'
import { CanonicalJsonError, canonicalizeAnyNumber, compileCanonical } from '@liquidity-os/evidence'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Type, { type TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { textBefore } from '../texts.ts'
import { normalizeAddress } from './address.ts'
import { instantOf } from './timestamp.ts'

/** Validates one part of a request and converts scalars to canonical form. */
export type PartValidator = (value: unknown) => FieldErrors | null

export interface RequestValidators {
  params: PartValidator
  query: PartValidator
  body: PartValidator | null
  /** Canonical text of an unvalidated body, for the request fingerprint. */
  canonicalBody: (body: unknown) => string
  /** Canonical text of the payload of the record that the operation appends. */
  canonicalPayload: (payload: unknown) => string
}

/** Ajv settings: no type coercion, unknown fields rejected. */
const make = (allErrors: boolean) => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors,
    // Optimizing the generated code triples compile time without faster validation.
    code: { optimize: false },
    useDefaults: true,
    verbose: true,
  })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addKeyword({
    keyword: 'x-name',
    modifying: true,
    errors: true,
    compile: (name: string) => normalizers[name] ?? (() => true),
  })
  for (const keyword of measureKeywords) ajv.addKeyword({ keyword, schemaType: 'string' })
  return ajv
}

const maxAmount = 2n ** 256n - 1n

interface FieldLocation {
  readonly parentData: Record<string | number, unknown>
  readonly parentDataProperty: string | number
  readonly rootData: unknown
  readonly instancePath: string
}
type Normalizer = ((value: unknown, location?: FieldLocation) => boolean) & {
  errors?: Partial<ErrorObject>[]
}

/**
 * Scalars with rules beyond a pattern. If several spellings are valid, the canonical one is stored
 * and returned.
 */
const normalizers: Record<string, Normalizer> = {
  AtomicAmount: function amount(value) {
    // The pattern limits only the digit count. The maximum 2^256 - 1 has 78 digits, but so do
    // larger numbers.
    if (typeof value !== 'string' || value.length < 78 || !/^[1-9][0-9]{77}$/.test(value))
      return true
    if (BigInt(value) <= maxAmount) return true
    normalizers.AtomicAmount!.errors = [
      { keyword: 'amount', params: {}, message: `must be at most 2^256 - 1, ${maxAmount}` },
    ]
    return false
  },
  Address: function address(value, location) {
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value)) return true
    const checksummed = normalizeOnChains(value, location)
    if (checksummed === null) {
      normalizers.Address!.errors = [wrongChecksum()]
      return false
    }
    if (location) location.parentData[location.parentDataProperty] = checksummed
    return true
  },
  PastedAddress: function pastedAddress(value, location) {
    if (typeof value !== 'string' || !location) return true
    const [chainId = null] = chainIdsAround(location)
    const plain = parsePastedAddress(value, chainId)
    const checksummed = plain === null ? null : normalizeOnChains(plain, location)
    if (checksummed === null) {
      const keyword = 'prefix'
      const message = 'must be an address without prefix, or with the prefix of the chain'
      const otherPrefix = { keyword, params: {}, message }
      normalizers.PastedAddress!.errors = [plain === null ? otherPrefix : wrongChecksum()]
      return false
    }
    location.parentData[location.parentDataProperty] = checksummed
    return true
  },
  Timestamp: function timestamp(value, index) {
    if (typeof value !== 'string') return true
    const instant = instantOf(value)
    if (instant === null) {
      normalizers.Timestamp!.errors = [
        {
          keyword: 'timestamp',
          params: {},
          message: 'must be a valid date and time with offset, such as 2026-01-31T12:00:00Z',
        },
      ]
      return false
    }
    if (index) index.parentData[index.parentDataProperty] = instant
    return true
  },
}

/** A new object each time, because Ajv adds the location to it. */
const wrongChecksum = () => ({
  keyword: 'checksum',
  params: {},
  message: 'must have a valid EIP-55 checksum, or be all lowercase or all uppercase',
})

function normalizeOnChains(address: string, location: FieldLocation | undefined): string | null {
  const checksummed = normalizeAddress(address)
  if (checksummed !== null || !location) return checksummed
  const ofChains = chainIdsAround(location).map((chainId) => normalizeAddress(address, chainId))
  return ofChains.find((one) => one !== null) ?? null
}

/**
 * Chain ids of the nearest object around a value that names a chain itself or in one of its fields, such as `pair`.
 */
function chainIdsAround({ rootData, instancePath }: FieldLocation): readonly number[] {
  const containers: unknown[] = [rootData]
  for (const part of instancePath.split('/').slice(1, -1)) {
    const container = containers[0] as Record<string, unknown> | undefined
    containers.unshift(container?.[unescapePointer(part)])
  }
  for (const container of containers) {
    if (Array.isArray(container)) continue
    const found = [container, ...membersOf(container)].flatMap(chainIdIn)
    if (found.length > 0) return found
  }
  return []
}

const membersOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

function chainIdIn(value: unknown): number[] {
  const { chainId } = (value ?? {}) as { chainId?: unknown }
  return typeof chainId === 'number' ? [chainId] : []
}

/** A validator that stops at the first error, and one that collects all errors. */
interface Pair {
  first: Ajv2020
  all: Ajv2020
}

let made: Pair | null = null
const pair = (): Pair => {
  made ??= { first: make(false), all: make(true) }
  return made
}

/** Compiles the validator of a document other than a request. */
export function compileSchema(schema: object): PartValidator {
  return part('', schema)
}

const ofOperations = new Map<string, RequestValidators>()

/** Validators of an operation: compiled on its first request and cached for the process. */
export function validatorsOf(operationId: string): RequestValidators {
  const known = ofOperations.get(operationId)
  if (known) return known
  const operation = operationById.get(operationId)
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`)
  const compiled: RequestValidators = {
    params: textPart('params', parametersOf(operation)),
    query: textPart('query', readableQueryOf(operation)),
    // The reader of a raw body validates it.
    body: operation.body && !operation.bodyIsRaw ? part('', operation.body) : null,
    canonicalBody: canonicalBodyOf(operation),
    canonicalPayload: compileCanonical(payloadSchemaOf(operation)),
  }
  ofOperations.set(operationId, compiled)
  return compiled
}

/** The cursor reader checks the format, so all invalid cursors get the same error code. */
function readableQueryOf(operation: Operation): Record<string, TSchema> {
  const query = queryOf(operation)
  if (!query.cursor) return query
  return { ...query, cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })) }
}

function canonicalBodyOf(operation: Operation): (body: unknown) => string {
  const compiled = compileCanonical(operation.body ?? {})
  return (body) => {
    try {
      return compiled(body)
    } catch (error) {
      // A body can contain fractions until validation rejects them.
      if (error instanceof CanonicalJsonError) return canonicalizeAnyNumber(body)
      throw error
    }
  }
}

/** Only a hint: values of another shape are serialized anyway. */
function payloadSchemaOf({ response }: Operation): unknown {
  const schema = response && 'schema' in response ? response.schema : {}
  return (schema as { properties?: { payload?: unknown } }).properties?.payload ?? {}
}

/**
 * A valid request is checked once. An invalid one is checked again for all its errors. Very large
 * requests report the first error only, because collecting all errors would cost more than parsing.
 */
function part(prefix: string, schema: object): PartValidator {
  const { first, all } = pair()
  const validate = first.compile(schema)
  let explain: ValidateFunction | null = null
  return (value) => {
    if (validate(value)) return null
    const fieldErrors = fieldErrorsOf(validate.errors ?? [], prefix)
    if (!isSmall(value)) return fieldErrors
    explain ??= all.compile(schema)
    return explain(value) ? fieldErrors : fieldErrorsOf(explain.errors ?? [], prefix)
  }
}

const integerText = /^(0|-?[1-9]\d{0,15})$/

/**
 * Path and query fields are strings. An integer field accepts only its canonical decimal form.
 */
function textPart(prefix: string, properties: Readonly<Record<string, object>>): PartValidator {
  const names = Object.keys(properties)
  const isOfType = (name: string, type: string) =>
    (properties[name] as { type?: string } | undefined)?.type === type
  const integers = names.filter((name) => isOfType(name, 'integer'))
  const validate = part(prefix, {
    type: 'object',
    properties,
    required: names.filter((name) => !('~optional' in (properties[name] ?? {}))),
    additionalProperties: false,
  })
  return (value) => {
    const members = value as Record<string, unknown>
    for (const name of integers) {
      const text = members[name]
      if (typeof text === 'string' && integerText.test(text)) members[name] = Number(text)
    }
    return validate(members)
  }
}

/** True if the value is small enough to report all its errors. */
function isSmall(value: unknown): boolean {
  let remaining: number = limits.explainedParts
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    remaining -= 1
    if (remaining < 0) return false
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const parts = Object.values(next)
    if (parts.length > remaining) return false
    for (const part of parts) waiting.push(part)
  }
  return true
}

/** One entry per field with expected and actual values; at most `limits.fieldErrors` entries. */
export function fieldErrorsOf(errors: readonly ErrorObject[], prefix: string): FieldErrors {
  // A map, because a field can have the name of an inherited object property.
  const byField = new Map<string, string[]>()
  for (const error of relevant(errors)) {
    const member = memberOf(error)
    const path = [prefix, ...error.instancePath.split('/').slice(1).map(unescapePointer), member]
      .filter((part) => part !== '' && part !== undefined)
      .join('.')
    const field = path || '(body)'
    const messages = byField.get(field)
    const isStatus = field === 'status' && error.keyword === 'additionalProperties'
    const message = isStatus ? 'must be omitted: the service sets it' : messageOf(error)
    if (messages) {
      if (!messages.includes(message)) messages.push(message)
    } else if (byField.size < limits.fieldErrors) byField.set(field, [message])
  }
  return Object.fromEntries(byField)
}

/**
 * A failed union reports errors for every branch. This returns only branches that neither a
 * constant nor the type of the value excludes.
 */
function relevant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  let shownErrors = errors
  for (const union of unions) {
    const inside = shownErrors.filter(
      (error) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`),
    )
    const branchOf = (error: ErrorObject) =>
      textBefore(error.schemaPath.slice(union.schemaPath.length + 1), '/')
    const branches = [...new Set(inside.map(branchOf))]
    const isOther = ({ keyword, instancePath }: ErrorObject) =>
      keyword === 'const' || (keyword === 'type' && instancePath === union.instancePath)
    const excluded = new Set(inside.filter(isOther).map(branchOf))
    const possible = branches.filter((branch) => !excluded.has(branch))
    if (possible.length === 1) {
      const drop = new Set(inside.filter((error) => branchOf(error) !== possible[0]))
      shownErrors = shownErrors.filter((error) => error !== union && !drop.has(error))
    } else {
      const drop = new Set(inside)
      const replacement = unknownTag(union, inside, branchOf) ?? union
      shownErrors = shownErrors.flatMap((error) =>
        error === union ? [replacement] : drop.has(error) ? [] : [error],
      )
    }
  }
  return shownErrors
}

/**
 * The single field with a value unknown to every branch, with the accepted values. Null unless
 * exactly one field qualifies.
 */
function unknownTag(
  union: ErrorObject,
  inside: readonly ErrorObject[],
  branchOf: (error: ErrorObject) => string,
): ErrorObject | null {
  const ofOtherType = inside.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath,
  )
  const excluded = new Set(ofOtherType.map(branchOf))
  const branches = new Set(inside.map(branchOf).filter((branch) => !excluded.has(branch)))
  const tags = inside.filter(({ keyword }) => keyword === 'const')
  const [tag] = tags
  const same = tags.filter(({ instancePath }) => instancePath === tag?.instancePath)
  if (!tag || new Set(same.map(branchOf)).size < branches.size) return null
  const allowedValues = [...new Set(same.map(({ params }) => params.allowedValue))]
  return { ...tag, keyword: 'enum', params: { allowedValues } }
}

function memberOf(error: ErrorObject): string | undefined {
  const { missingProperty, additionalProperty } = error.params as Record<string, string>
  return missingProperty ?? additionalProperty
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a field of this object'
  const { allowedValues, allowedValue } = error.params as Record<string, unknown>
  const expected =
    error.keyword === 'enum'
      ? `must be one of ${(allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
      : error.keyword === 'const'
        ? `must be ${JSON.stringify(allowedValue)}`
        : error.keyword === 'anyOf' || error.keyword === 'oneOf'
          ? 'must match one of the forms in the contract'
          : (error.message ?? 'is not valid')
  return `${expected}, got ${shown(error.data)}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')
