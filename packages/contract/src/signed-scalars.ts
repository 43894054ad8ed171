import Type from 'typebox'
import { named } from './scalars.ts'

/**
 * Scalars of documents signed by others: accepted in canonical form only and never normalized. The
 * service rejects other forms with a specific 422, so these patterns are as wide as the common
 * ones.
 */

export const SignedTime = named(
  'SignedTime',
  Type.String({
    maxLength: 40,
    description: 'A time in UTC and whole seconds, YYYY-MM-DDTHH:MM:SSZ; no other form.',
    examples: ['2026-01-05T12:00:00Z'],
  }),
)

export const SignedAddress = named(
  'SignedAddress',
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description: 'An address with its EIP-55 checksum; no other form.',
    examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  }),
)

export const SignedHash = named(
  'SignedHash',
  Type.String({
    pattern: '^0x[0-9a-fA-F]{64}$',
    description: '0x and 64 hex digits in lower case; no other form.',
    examples: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
  }),
)

export const SignedQuantity = named(
  'SignedQuantity',
  Type.String({
    pattern: '^[0-9]{1,80}$',
    description:
      'Unsigned integer below 2^256 in atomic units of the named asset, without leading zeros; no other form.',
    examples: ['1000000'],
  }),
)
