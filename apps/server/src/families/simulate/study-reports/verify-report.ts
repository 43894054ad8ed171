import { contract } from '@liquidity-os/contract'
import {
  canonicalize,
  importPublicKey,
  type PublicKey,
  parseStrict,
  verifyRaw,
} from '@liquidity-os/evidence'
import { dataHashOf, type StudyReport } from '../../../drawing/figure.ts'
import { compileSchema } from '../../../http/validators.ts'
import { renderReport } from './render-report.ts'
import { contentHashOf, fileHashOf, signedBytesOf } from './study-report.ts'

/** One thing that was looked at. */
export interface Check {
  readonly code: string
  readonly ok: boolean
  /** What was found; where it is wrong, also what was expected. */
  readonly detail: string
}

export interface Verification {
  readonly checks: readonly Check[]
  /** Whether every check holds. */
  readonly ok: boolean
  /** Whether the signature was held against a key that the caller knows. */
  readonly isKeyPinned: boolean
  readonly report: Pick<
    StudyReport,
    'name' | 'state' | 'headline' | 'study' | 'keyId' | 'publicKey'
  >
}

export interface ReportFiles {
  /** The signed body, byte for byte as it was stored. */
  readonly body: Uint8Array
  /** Files that are said to show it, with the names that people know them by. */
  readonly renderings: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** Public key that should have signed, base64 of 32 bytes; null where the caller knows none. */
  readonly key: string | null
  /** Whether every rendering is drawn again from the body and compared. */
  readonly redraws: boolean
}

/**
 * Checks a report with nothing but its files: no service, no clock, no network.
 *
 * @throws UnreadableReportError for what is no report at all
 */
export async function verifyReport(files: ReportFiles): Promise<Verification> {
  const report = readReport(files.body)
  const key = embeddedKey(report)
  const checks = [
    canonicalCheck(files.body, report),
    contentCheck(report),
    ...figureChecks(report),
    keyIdCheck(report, key),
    ...(files.key === null ? [] : [pinCheck(report, files.key)]),
    signatureCheck(report, key),
    ...files.renderings.map((file) => renderingCheck(report, file)),
    ...(files.redraws ? await redrawChecks(report) : []),
  ]
  const { name, state, headline, study, keyId, publicKey } = report
  return {
    checks,
    ok: checks.every(({ ok }) => ok),
    isKeyPinned: files.key !== null,
    report: { name, state, headline, study, keyId, publicKey },
  }
}

let judge: ReturnType<typeof compileSchema> | null = null

function readReport(body: Uint8Array): StudyReport {
  let value: unknown
  try {
    value = parseStrict(body)
  } catch (error) {
    throw new UnreadableReportError(`The file is not JSON: ${(error as Error).message}`)
  }
  judge ??= compileSchema(contract.StudyReport)
  // The judge writes addresses and times in one way; what was signed must stay as it is.
  const faults = Object.entries(judge(structuredClone(value)) ?? {})
  const [fault] = faults
  if (fault) {
    const [field, [message]] = fault
    throw new UnreadableReportError(
      `The file is no report of the form study-report-v1: ${field || 'it'} ${message}`,
    )
  }
  // The contract was just asked.
  return value as StudyReport
}

function canonicalCheck(body: Uint8Array, report: StudyReport): Check {
  const canonical = Buffer.from(canonicalText(report))
  const ok = canonical.equals(body)
  return {
    code: 'CANONICAL',
    ok,
    detail: ok
      ? `${body.length} bytes of canonical JSON, file hash ${fileHashOf(body)}`
      : `the file has ${body.length} bytes, its canonical form ${canonical.length}; they differ from byte ${firstDifference(body, canonical)} on`,
  }
}

function canonicalText(report: StudyReport): string {
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
  detail: stated === found ? `${what} ${found}` : `${what} is ${found}, the report says ${stated}`,
})

function contentCheck(report: StudyReport): Check {
  const {
    contentHash,
    renderings: _,
    publicKey: _key,
    keyId: _id,
    signature: _of,
    ...content
  } = report
  return compared('CONTENT_HASH', 'content', contentHash, contentHashOf(content))
}

function figureChecks({ figures }: StudyReport): Check[] {
  const checks = figures.map((figure) =>
    compared('FIGURE_DATA', `data of ${figure.id}`, figure.dataHash, dataHashOf(figure)),
  )
  const wrong = checks.filter(({ ok }) => !ok)
  if (wrong.length > 0) return wrong
  return [{ code: 'FIGURE_DATA', ok: true, detail: `data of ${checks.length} figures` }]
}

/** The key that the report names, or why it is none. */
function embeddedKey({ publicKey }: StudyReport): PublicKey | string {
  try {
    return importPublicKey(publicKey)
  } catch (error) {
    return (error as Error).message
  }
}

function keyIdCheck({ keyId }: StudyReport, key: PublicKey | string): Check {
  if (typeof key === 'string') return { code: 'KEY', ok: false, detail: key }
  return compared('KEY', 'key id', keyId, key.keyId)
}

function pinCheck({ publicKey }: StudyReport, pinned: string): Check {
  const ok = publicKey === pinned
  return {
    code: 'KEY_PINNED',
    ok,
    detail: ok
      ? 'it is the key that you named'
      : `you named ${pinned}, the report names ${publicKey}`,
  }
}

function signatureCheck(report: StudyReport, key: PublicKey | string): Check {
  const signature = Buffer.from(report.signature, 'base64')
  // A second spelling of a signature is no signature.
  const isCanonical = signature.toString('base64') === report.signature
  const ok =
    typeof key !== 'string' && isCanonical && verifyRaw(key, signedBytesOf(report), signature)
  return {
    code: 'SIGNATURE',
    ok,
    detail: ok ? `Ed25519 by ${report.keyId}` : `is not ${report.publicKey}’s over these bytes`,
  }
}

function renderingCheck(
  { renderings }: StudyReport,
  { name, bytes }: ReportFiles['renderings'][number],
): Check {
  const hash = fileHashOf(bytes)
  const named = renderings.find((rendering) => rendering.hash === hash)
  if (named)
    return { code: 'RENDERING', ok: true, detail: `${name} is the ${named.format} it names` }
  const alike = renderings.find(({ format }) => name.toLowerCase().endsWith(`.${format}`))
  const listed = renderings.map(({ format }) => format).join(', ') || 'none'
  return {
    code: 'RENDERING',
    ok: false,
    detail: alike
      ? `${name} has ${bytes.length} bytes and hash ${hash}; the report’s ${alike.format} has ${alike.byteLength} bytes and hash ${alike.hash}`
      : `${name} with hash ${hash} is none of its renderings (${listed})`,
  }
}

/** Whether each rendering shows what the body says: this release draws it again. */
async function redrawChecks(report: StudyReport): Promise<Check[]> {
  const { renderings, publicKey: _key, keyId: _id, signature: _of, ...content } = report
  const checks: Check[] = []
  for (const { format, hash } of renderings) {
    try {
      const drawn = await renderReport(content, format)
      const check = compared('REDRAWN', `${format}, drawn again,`, hash, drawn.hash)
      const hint = check.ok ? '' : ' (another release may draw it otherwise)'
      checks.push({ ...check, detail: `${check.detail}${hint}` })
    } catch (error) {
      const detail = `${format} cannot be drawn: ${(error as Error).message}`
      checks.push({ code: 'REDRAWN', ok: false, detail })
    }
  }
  return checks
}

/** A file is no report. */
export class UnreadableReportError extends Error {
  override readonly name = 'UnreadableReportError'
}
