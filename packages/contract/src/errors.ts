import Type, { type Static } from 'typebox'
import catalogue from './errors.json' with { type: 'json' }
import { closed, mapOf, named } from './scalars.ts'

export interface CatalogueEntry {
  status: number
  message: string
  retryable: boolean
  remediation: string
}

type Sections = typeof catalogue.sections
export type ErrorCode = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections]

/**
 * All error codes of the service. Codes are stable: they are never renamed and never change
 * meaning. Codes of the specification are verbatim; the others start with `LIQUIDITY_`.
 */
export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = Object.assign(
  {},
  ...Object.values(catalogue.sections),
)

/** Errors of an operation that reads a chain. */
export const chainErrors = [
  'LIQUIDITY_CHAIN_UNAVAILABLE',
  'LIQUIDITY_CHAIN_RATE_LIMITED',
  'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED',
  'LIQUIDITY_CHAIN_REQUEST_REFUSED',
] as const

export const FieldErrors = mapOf(
  Type.Array(Type.String()),
  'Validation errors by field path (`payload.pair.base`); each message states the expected and the received value.',
)

/** The common envelope of all errors. */
export const ApiError = named(
  'ApiError',
  closed({
    code: Type.String({ description: 'Stable error code for programs.' }),
    message: Type.String({ description: 'Human-readable message; may change.' }),
    correlationId: Type.String({
      description: 'Fresh for every attempt; finds the attempt in the log.',
    }),
    retryable: Type.Boolean({ description: 'True if the same request may succeed later.' }),
    fieldErrors: Type.Optional(FieldErrors),
    remediation: Type.Optional(Type.String({ description: 'Next step for the caller.' })),
  }),
)

export const SecretMetadata = closed({
  resourceType: Type.String(),
  resourceId: Type.String(),
  resourceVersion: Type.String(),
  issuedAt: Type.String(),
})

export const ErrorEnvelope = named(
  'ErrorEnvelope',
  closed({ error: ApiError, metadata: Type.Optional(SecretMetadata) }),
)
export type ErrorEnvelope = Static<typeof ErrorEnvelope>
export type FieldErrors = Record<string, string[]>
