import type { contract } from '@liquidity-os/contract'
import { D, H, type PrivateKey, sign } from '@liquidity-os/evidence'
import { sharedFigures } from './shared-figures.ts'
import { sharedTables } from './shared-tables.ts'
import { type Shared, sharedArms } from './shared-words.ts'

export type SharedReport = contract.SharedStudyReport
type Content = Omit<
  SharedReport,
  'contentHash' | 'renderings' | 'publicKey' | 'keyId' | 'signature'
>

/** Content of a shared report with its hash: the input of renderings. */
export type HashedSharedReport = Content & { readonly contentHash: string }

const contentTag = 'shared-study-report-content/v1'
const reportTag = 'shared-study-report/v1'

/** Report of shared content. It receives no other data, so it cannot disclose more. */
export function sharedContentOf(study: Shared): HashedSharedReport {
  const content: Content = {
    schemaVersion: 'shared-study-report-v1',
    study,
    headline: sharedHeadline(study),
    arms: sharedArms(study),
    tables: sharedTables(study),
    figures: sharedFigures(study),
  }
  return { ...content, contentHash: sharedContentHash(content) }
}

/** @throws Error without a verdict, which only a report of an earlier release lacks */
function sharedHeadline({ verdict }: Shared): string {
  if (verdict === undefined) throw new Error('A share of this release has no verdict.')
  return verdict.sentence
}

export const sharedContentHash = (content: Content): string => H(contentTag, content)

/** Signs a report's content and the hashes of its renderings. */
export function signSharedReport(
  report: HashedSharedReport,
  renderings: SharedReport['renderings'],
  key: PrivateKey,
): SharedReport {
  const { raw, keyId } = key.publicKey
  const body = { ...report, renderings, publicKey: raw, keyId }
  return { ...body, signature: sign(key, reportTag, body) }
}

export function signedSharedBytes({ signature: _, ...body }: SharedReport): Uint8Array {
  return D(reportTag, body)
}
