import type { Family, RecordFamily } from './family.ts'
import type { Operation } from './operation.ts'
import * as declared from './operations.ts'

export const basePath = '/api/liquidity-studio/v2'
export const apiVersion = '2.0.0'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

const all: readonly Operation[] = Object.values<unknown>(declared)
  .filter(isOperation)
  .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path < b.path ? -1 : 1))

/** All operations of the specification, ordered by path, then by method. */
export const operations = all.filter(({ isExtension }) => !isExtension)

/** Extension operations under the same guards, in the same order. */
export const extensionOperations = all.filter(({ isExtension }) => isExtension)

/** All of both. */
export const operationById: ReadonlyMap<string, Operation> = new Map(
  all.map((operation) => [operation.id, operation]),
)

const isFamily = (value: unknown): value is Family =>
  typeof value === 'object' && value !== null && 'module' in value && 'operations' in value

/** Sort key: folder, then record type for families that share a folder. */
const placeOf = (family: Family) => `${family.module} ${'type' in family ? family.type : ''}`

export const families: readonly Family[] = Object.values<unknown>(declared)
  .filter(isFamily)
  .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

export const recordFamilies: readonly RecordFamily[] = families.filter(
  (family): family is RecordFamily => 'type' in family,
)
