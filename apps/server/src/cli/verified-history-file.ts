import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import Type from 'typebox'
import { AdministrationError } from '../access/administration.ts'
import type { VerifiedHistory } from '../history/verified-until.ts'
import { compileSchema } from '../http/validators.ts'

const digits = Type.String({ pattern: '^[0-9]{1,20}$' })
const Place = Type.Object({
  era: digits,
  transactionId: digits,
  ordinal: digits,
  evidenceHash: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
})
const faultsOf = compileSchema(
  Type.Object({
    version: Type.Literal('verified-history-v1'),
    organizations: Type.Array(
      Type.Object({
        organizationId: Type.String({ minLength: 1, maxLength: 80 }),
        place: Type.Union([Place, Type.Null()]),
        events: Type.Integer({ minimum: 0 }),
        artifactsAt: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
      }),
    ),
  }),
)

/**
 * Position up to which a history was verified, from `verify-history --checkpoint`.
 *
 * @throws AdministrationError if the file is unreadable or has another format
 */
export function readVerifiedHistory(path: string): VerifiedHistory {
  const hint = 'write one with liquidity verify-history --checkpoint FILE'
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new AdministrationError(`${path} cannot be read (${(error as Error).message}); ${hint}`)
  }
  const [fault] = Object.entries(faultsOf(document) ?? {})
  if (fault) {
    throw new AdministrationError(
      `${path} is not a verified-history file: ${fault[0]} ${fault[1].join('; ')}; ${hint}`,
    )
  }
  return document as VerifiedHistory
}

/** Replaces the file atomically; the next verification continues from it. */
export function writeVerifiedHistory(path: string, until: VerifiedHistory): void {
  const temporaryPath = `${path}.new`
  writeFileSync(temporaryPath, `${JSON.stringify(until, null, 2)}\n`)
  renameSync(temporaryPath, path)
}
