import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence/canonical-json'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads the passport that the issuer signed. It must equal the downloaded passport, except for the
 * content hash and the signature.
 *
 * @throws Error with the reason for the user
 */
export function readSignedPassport(
  { name, text }: { name: string; text: string },
  unsigned: object,
): contract.LiquidityPassport {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(`${name} is not JSON.`)
  }
  if (!isObject(parsed)) throw new Error(`${name} is not a passport.`)
  const { contentHash, signature, ...rest } = parsed
  if (typeof contentHash !== 'string' || typeof signature !== 'string')
    throw new Error(`${name} has no signature. Choose the file that the sign command wrote.`)
  if (canonicalize(rest) !== canonicalize(unsigned)) {
    throw new Error(
      `${name} differs from the downloaded passport. Sign the last download, and choose that file.`,
    )
  }
  return parsed as unknown as contract.LiquidityPassport
}
