import { contract } from '@liquidity-os/contract'
import type { ChartTerms } from '@liquidity-os/drawing'
import {
  canonicalize,
  importPublicKey,
  type PublicKey,
  parseStrict,
  verifyRaw,
} from '@liquidity-os/evidence'
import type { TSchema } from 'typebox'
import { dataHashOf, type StudyReport } from '../../../drawing/figure.ts'
import { compileSchema } from '../../../http/validators.ts'
import { renderReport } from './render-report.ts'
import { chartTermsOf } from './report-words.ts'
import { contentHashOf, fileHashOf, signedBytesOf } from './study-report.ts'

export type Signed = Pick<
  StudyReport,
  'contentHash' | 'figures' | 'headline' | 'keyId' | 'publicKey' | 'renderings' | 'signature'
> & { readonly schemaVersion: string }

/** A kind of signed report: its format, its hashes, and its renderer. */
export interface ReportKind<Report extends Signed> {
  readonly schemaVersion: Report['schemaVersion']
  readonly schema: TSchema
  readonly contentHash: (report: Report) => string
  readonly signedBytes: (report: Report) => Uint8Array
  readonly rendered: (
    report: Report,
    format: StudyReport['renderings'][number]['format'],
  ) => Promise<{ readonly hash: string }>
  readonly terms: (report: Report) => ChartTerms
  readonly about: (report: Report) => Pick<Verification['report'], 'name' | 'state' | 'subject'>
}

/** The owner's version of a study report. */
export const studyReportKind: ReportKind<StudyReport> = {
  schemaVersion: 'study-report-v1',
  schema: contract.StudyReport,
  contentHash: ({ contentHash: _hash, ...report }) => contentHashOf(withoutSignature(report)),
  signedBytes: signedBytesOf,
  rendered: (report, format) => renderReport(withoutSignature(report), format),
  terms: chartTermsOf,
  about: ({ name, state, study }) => ({
    name,
    state,
    subject: `${study.id}, version ${study.resourceVersion}`,
  }),
}

export function withoutSignature<
  Report extends Pick<Signed, 'keyId' | 'publicKey' | 'renderings' | 'signature'>,
>(report: Report): Omit<Report, 'keyId' | 'publicKey' | 'renderings' | 'signature'> {
  const { renderings: _, publicKey: _key, keyId: _id, signature: _of, ...content } = report
  return content
}

/** One check. */
export interface Check {
  readonly code: string
  readonly ok: boolean
  /** Found value; on failure also the expected one. */
  readonly detail: string
}

export interface Verification {
  readonly checks: readonly Check[]
  /** True if every check passes. */
  readonly ok: boolean
  /** True if the signature was checked against a key that the caller knows. */
  readonly isKeyPinned: boolean
  readonly report: Pick<StudyReport, 'name' | 'headline' | 'keyId' | 'publicKey'> & {
    readonly state: string
    /** Subject: the study and its version, or the share link. */
    readonly subject: string
  }
}

export interface ReportFiles {
  /** The signed body, byte for byte. */
  readonly body: Uint8Array
  /** Files claimed to be renderings, with their names. */
  readonly renderings: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** Expected public key, base64 of 32 bytes; null if the caller has no key. */
  readonly key: string | null
  /** True if every rendering is drawn again from the body and compared. */
  readonly redraws: boolean
}

/**
 * Verifies a report from its files alone: no service, no clock, no network.
 *
 * @param kinds possible report kinds of the file
 * @throws UnreadableReportError if the file is no report
 */
export async function verifyReport<Report extends Signed>(
  files: ReportFiles,
  kinds: readonly ReportKind<Report>[],
): Promise<Verification> {
  const { kind, report } = readReport(files.body, kinds)
  const key = embeddedKey(report)
  const checks = [
    canonicalCheck(files.body, report),
    compared('CONTENT_HASH', 'content', report.contentHash, kind.contentHash(report)),
    ...figureChecks(report),
    keyIdCheck(report, key),
    ...(files.key === null ? [] : [pinCheck(report, files.key)]),
    signatureCheck(report, key, kind.signedBytes(report)),
    ...files.renderings.map((file) => renderingCheck(report, file)),
    ...(files.redraws ? await redrawChecks(report, kind) : []),
  ]
  const { headline, keyId, publicKey } = report
  return {
    checks,
    ok: checks.every(({ ok }) => ok),
    isKeyPinned: files.key !== null,
    report: { ...kind.about(report), headline, keyId, publicKey },
  }
}

function readReport<Report extends Signed>(
  body: Uint8Array,
  kinds: readonly ReportKind<Report>[],
): { kind: ReportKind<Report>; report: Report } {
  let value: unknown
  try {
    value = parseStrict(body)
  } catch (error) {
    throw new UnreadableReportError(`The file is not JSON: ${(error as Error).message}`)
  }
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion
  // An unknown format is validated against the first kind, whose errors then show the differences.
  const kind = kinds.find(({ schemaVersion }) => schemaVersion === version) ?? kinds[0]
  if (!kind) throw new Error('No report kind was given.')
  // Validation normalizes addresses and times, so it uses a clone. The signed value must stay
  // unchanged.
  const faults = Object.entries(compileSchema(kind.schema)(structuredClone(value)) ?? {})
  const [fault] = faults
  if (fault) {
    const [field, [message]] = fault
    throw new UnreadableReportError(
      `The file is not a report of format ${kind.schemaVersion}: ${field || 'it'} ${message}`,
    )
  }
  // The contract check above guarantees this.
  return { kind, report: value as Report }
}

function canonicalCheck(body: Uint8Array, report: Signed): Check {
  const canonical = Buffer.from(canonicalText(report))
  const ok = canonical.equals(body)
  return {
    code: 'CANONICAL',
    ok,
    detail: ok
      ? `${body.length} bytes of canonical JSON, file hash ${fileHashOf(body)}`
      : `the file has ${body.length} bytes and its canonical form ${canonical.length}; the first difference is at byte ${firstDifference(body, canonical)}`,
  }
}

function canonicalText(report: Signed): string {
  try {
    return canonicalize(report)
  } catch (error) {
    throw new UnreadableReportError(`The report has no canonical form: ${(error as Error).message}`)
  }
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at += 1) if (a[at] !== b[at]) return at
  return shorter
}

const compared = (code: string, what: string, stated: string, found: string): Check => ({
  code,
  ok: stated === found,
  detail:
    stated === found ? `${what} ${found}` : `${what} is ${found}, but the report states ${stated}`,
})

function figureChecks({ figures }: Signed): Check[] {
  const checks = figures.map((figure) =>
    compared('FIGURE_DATA', `data of ${figure.id}`, figure.dataHash, dataHashOf(figure)),
  )
  const wrong = checks.filter(({ ok }) => !ok)
  if (wrong.length > 0) return wrong
  return [{ code: 'FIGURE_DATA', ok: true, detail: `data of ${checks.length} figures` }]
}

/** Public key in the report, or the reason why it is invalid. */
function embeddedKey({ publicKey }: Signed): PublicKey | string {
  try {
    return importPublicKey(publicKey)
  } catch (error) {
    return (error as Error).message
  }
}

function keyIdCheck({ keyId }: Signed, key: PublicKey | string): Check {
  if (typeof key === 'string') return { code: 'KEY', ok: false, detail: key }
  return compared('KEY', 'key ID', keyId, key.keyId)
}

function pinCheck({ publicKey }: Signed, pinned: string): Check {
  const ok = publicKey === pinned
  return {
    code: 'KEY_PINNED',
    ok,
    detail: ok
      ? 'matches the given key'
      : `the given key is ${pinned}, but the report contains ${publicKey}`,
  }
}

function signatureCheck(report: Signed, key: PublicKey | string, signed: Uint8Array): Check {
  const signature = Buffer.from(report.signature, 'base64')
  // A second encoding of a signature is not valid.
  const isCanonical = signature.toString('base64') === report.signature
  const ok = typeof key !== 'string' && isCanonical && verifyRaw(key, signed, signature)
  return {
    code: 'SIGNATURE',
    ok,
    detail: ok
      ? `Ed25519 by ${report.keyId}`
      : `is not a signature of ${report.publicKey} over these bytes`,
  }
}

function renderingCheck(
  { renderings }: Signed,
  { name, bytes }: ReportFiles['renderings'][number],
): Check {
  const hash = fileHashOf(bytes)
  const named = renderings.find((rendering) => rendering.hash === hash)
  if (named)
    return {
      code: 'RENDERING',
      ok: true,
      detail: `${name} is the ${named.format} listed in the report`,
    }
  const alike = renderings.find(({ format }) => name.toLowerCase().endsWith(`.${format}`))
  const listed = renderings.map(({ format }) => format).join(', ') || 'none'
  return {
    code: 'RENDERING',
    ok: false,
    detail: alike
      ? `${name} has ${bytes.length} bytes and hash ${hash}; the report’s ${alike.format} has ${alike.byteLength} bytes and hash ${alike.hash}`
      : `${name} with hash ${hash} is not one of its renderings (${listed})`,
  }
}

/** Checks each rendering against the body: this release draws it again. */
async function redrawChecks<Report extends Signed>(
  report: Report,
  kind: ReportKind<Report>,
): Promise<Check[]> {
  const checks: Check[] = []
  for (const { format, hash } of report.renderings) {
    try {
      const drawn = await kind.rendered(report, format)
      const check = compared('REDRAWN', `${format}, rendered again,`, hash, drawn.hash)
      const hint = check.ok ? '' : ' (other releases can render it differently)'
      checks.push({ ...check, detail: `${check.detail}${hint}` })
    } catch (error) {
      const detail = `${format} cannot be rendered: ${(error as Error).message}`
      checks.push({ code: 'REDRAWN', ok: false, detail })
    }
  }
  return checks
}

/** A file is no report. */
export class UnreadableReportError extends Error {
  override readonly name = 'UnreadableReportError'
}
