import type { Operation } from './operation.ts'
import * as declared from './operations.ts'

export const basePath = '/api/liquidity-studio/v2'
export const apiVersion = '2.0.0'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** Every operation of the contract, ordered by path and then by method. */
export const operations: readonly Operation[] = Object.values<unknown>(declared)
  .filter(isOperation)
  .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path < b.path ? -1 : 1))

export const operationById: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.id, operation]),
)
