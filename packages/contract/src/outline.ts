import type { errorCatalogue as Catalogue } from './errors.ts'
import printed from './generated/outline.json' with { type: 'json' }
import type { Operation, Response } from './operation.ts'

/**
 * The contract without its schemas: what a service needs before its first request. It is printed from the
 * contract, and a test holds the two equal; reading it takes a hundredth of the time that building every
 * schema takes.
 */
export interface OperationOutline
  extends Omit<
    Operation,
    'summary' | 'description' | 'params' | 'query' | 'body' | 'response' | 'example'
  > {
  /** Whether it declares a body. */
  hasBody: boolean
  /** How the success body is wrapped, and whether it is one record with an ETag. */
  answer: { wrap: Response['wrap']; etag: boolean }
  /** Group and name of its room; null as long as its family is not declared. */
  room: string | null
}

/** One kind of versioned record: its name, what its ids begin with, and where it lies. */
export interface KindOutline {
  type: string
  prefix: string
  room: string
}

interface Outline {
  apiVersion: string
  basePath: string
  operations: readonly OperationOutline[]
  /** What is answered beside those of the specification. */
  extensionOperations: readonly OperationOutline[]
  /** Every kind of versioned record. */
  kinds: readonly KindOutline[]
  errorCatalogue: typeof Catalogue
}

// The literal types of a JSON file are wider than those of the contract it was printed from.
export const { apiVersion, basePath, operations, extensionOperations, kinds, errorCatalogue } =
  printed as unknown as Outline
export type { ErrorCode, FieldErrors } from './errors.ts'
export * from './identity.ts'
export { takesBody } from './methods.ts'
export { isServedWhenFull } from './served-when-full.ts'
