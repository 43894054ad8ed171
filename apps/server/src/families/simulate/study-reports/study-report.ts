import { simulatedMarketOf } from '@liquidity-os/contract/test-networks'
import { D, H, type PrivateKey, sha256Hex, sign } from '@liquidity-os/evidence'
import type { StudyReport } from '../../../drawing/figure.ts'
import { readStudyVerdict } from '../studies/api.ts'
import { findingsInWords } from './findings.ts'
import { findingsOf, type ReportInput } from './report-input.ts'
import { figuresOf } from './study-figures.ts'
import { tablesOf } from './tables.ts'
import { annualRatesText } from './vs-hodl-table.ts'

/** Report content before signature and renderings. */
export type ReportContent = Omit<
  StudyReport,
  'contentHash' | 'renderings' | 'publicKey' | 'keyId' | 'signature'
>

/** Content with its hash; the source of all renderings. */
export type HashedReport = ReportContent & { readonly contentHash: string }

export type Rendering = StudyReport['renderings'][number] & { readonly content: Uint8Array }

const contentTag = 'study-report-content/v1'
const reportTag = 'study-report/v1'

/** Content of a study report. The same input gives the same content at any time. */
export function reportContentOf(input: ReportInput): HashedReport {
  const findings = findingsOf(input)
  const { study, result, arms } = findings
  const { spec } = study.payload
  const { evidence } = result
  const chainIds = evidence.blocks.map(({ chainId }) => chainId)
  const simulated = simulatedMarketOf([spec.pair.chainId, ...chainIds])
  const verdict = readStudyVerdict(study)
  const { inventory, windowSeconds } = verdict
  const content: ReportContent = {
    schemaVersion: 'study-report-v1',
    study: { id: study.id, resourceVersion: study.resourceVersion },
    name: spec.name,
    kind: spec.kind,
    state: result.state,
    reasons: result.reasons,
    // Only a complete study can assess market health.
    assessesMarketHealth: result.assessesMarketHealth && result.state === 'COMPLETED',
    ...(simulated ? { simulated } : {}),
    computedAt: study.createdAt,
    headline: verdict.sentence,
    ...(inventory.valueQuote === null ? {} : { startValueQuote: inventory.valueQuote }),
    ...(windowSeconds === null ? {} : { windowSeconds }),
    findings: findingsInWords(findings),
    pair: spec.pair,
    venue: input.venue,
    arms: [...arms],
    tables: tablesOf(findings),
    figures: figuresOf(findings),
    assumptions: evidence.assumptions,
    gaps: [...gapsOf(input, result.gaps), ...missingRates(verdict, result)],
    reproduction: {
      spec,
      specHash: evidence.specHash,
      resultHash: result.resultHash,
      inputs: evidence.inputs,
      blocks: evidence.blocks,
      series: result.seriesArtifacts,
      engineVersion: evidence.engineVersion,
      engineBuildHash: evidence.engineBuildHash,
      seed: evidence.seed,
    },
  }
  return { ...content, contentHash: contentHashOf(content) }
}

/** Gaps of the study, and the resulting gaps of the report. */
function gapsOf({ study, series }: ReportInput, gaps: StudyReport['gaps']): StudyReport['gaps'] {
  const { kind } = study.payload.spec
  const missing = study.payload.result?.state === 'ABSTAINED' ? [] : missingPictures(kind, series)
  return [...gaps, ...missing]
}

function missingRates(
  verdict: ReturnType<typeof readStudyVerdict>,
  { state }: Pick<StudyReport, 'state'>,
): StudyReport['gaps'] {
  const detail = state === 'ABSTAINED' ? null : annualRatesText(verdict)
  return detail === null ? [] : [{ code: 'NO_ANNUAL_RATES', detail }]
}

function missingPictures(
  kind: string,
  series: ReportInput['series'],
): { code: string; detail: string }[] {
  if (kind !== 'REPLAY') {
    const detail = 'A study with many paths has no single price for a liquidity map.'
    return [{ code: 'NO_LIQUIDITY_MAP', detail }]
  }
  if (series.size > 0) return []
  return [
    {
      code: 'NO_SERIES',
      detail: 'The study stored no samples, so the report has no charts over time.',
    },
  ]
}

export function contentHashOf(content: ReportContent): string {
  return H(contentTag, content)
}

/** Signs a report's content and the hashes of its renderings. */
export function signReport(
  report: HashedReport,
  renderings: readonly Rendering[],
  key: PrivateKey,
): StudyReport {
  const body: Omit<StudyReport, 'signature'> = {
    ...report,
    renderings: renderings.map(({ content: _, ...rendering }) => rendering),
    publicKey: key.publicKey.raw,
    keyId: key.publicKey.keyId,
  }
  return { ...body, signature: sign(key, reportTag, body) }
}

export function signedBytesOf({ signature: _, ...body }: StudyReport): Uint8Array {
  return D(reportTag, body)
}

/** Plain hash of a file's bytes: the output of `sha256sum` with a 0x prefix. */
export function fileHashOf(bytes: Uint8Array): string {
  return `0x${sha256Hex(bytes)}`
}
