import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type ReportKind,
  type Signed,
  studyReportKind,
  UnreadableReportError,
  type Verification,
  verifyReport,
} from '../../families/simulate/study-reports/verify-report.ts'
import { sharedReportKind } from '../../families/simulate/study-shares/verify-shared.ts'
import type { Output } from '../replay/output.ts'

/** The reports that the service signs. */
const kinds = [studyReportKind, sharedReportKind] as unknown as readonly ReportKind<Signed>[]

const USAGE = `Usage: liquidity verify-report REPORT.json [--key KEY] [--rendering FILE]... [--redraw] [--pictures DIR] [--json]

Verifies a signed study report offline, from its files.

  REPORT.json       the signed body, byte for byte as stored
  --key KEY         public key of the deployment in base64, from liquidity signing-keys
  --rendering FILE  an HTML, PDF or CSV rendering of the report; may be repeated
  --redraw          draw every rendering again from the body and compare the bytes
  --pictures DIR    write each chart as an SVG file if the report is valid
  --json            print one JSON object

Exit status: 0 the report is valid and signed by the given key, 1 a check failed, 2 invalid input,
3 the report is valid but no --key was given, so the signer is unknown.
`

/**
 * The command `liquidity verify-report`.
 *
 * @param io.args arguments after the word `verify-report`
 * @returns exit status, as documented in the help text
 */
export async function verifyReportCommand(io: {
  args: string[]
  stdout: Output
  stderr: Output
}): Promise<number> {
  try {
    const { file, renderings, key, redraw, pictures, json, help } = readArguments(io.args)
    if (help) {
      io.stdout.write(USAGE)
      return 0
    }
    const body = read(file)
    const found = await verifyReport(
      {
        body,
        renderings: renderings.map((path) => ({ name: basename(path), bytes: read(path) })),
        key,
        redraws: redraw,
      },
      kinds,
    )
    io.stdout.write(json ? `${JSON.stringify(found)}\n` : printed(found))
    if (!found.ok) return 1
    if (pictures !== null) await writePictures(body, pictures)
    return found.isKeyPinned ? 0 : 3
  } catch (error) {
    const isTheirs = error instanceof UsageError || error instanceof UnreadableReportError
    if (!isTheirs) throw error
    io.stderr.write(`liquidity verify-report: ${error.message}\n`)
    return 2
  }
}

function printed({ report, checks, ok, isKeyPinned }: Verification): string {
  const lines = [
    `${report.name} (${report.state})`,
    `  ${report.headline}`,
    `  ${report.subject}`,
    '',
    ...checks.map(
      (check) => `${check.ok ? 'ok   ' : 'WRONG'} ${check.code.padEnd(12)} ${check.detail}`,
    ),
    '',
    verdict(ok, isKeyPinned, report.publicKey),
  ]
  return `${lines.join('\n')}\n`
}

function verdict(ok: boolean, isKeyPinned: boolean, publicKey: string): string {
  if (!ok) return 'The report is not valid.'
  if (isKeyPinned) return 'The report is valid.'
  return `The report is valid for the key ${publicKey}. Ask the deployment for its key and name it with --key.`
}

async function writePictures(body: Uint8Array, directory: string): Promise<void> {
  const { picturesOf } = await import('../../families/simulate/study-reports/pictures-of.ts')
  mkdirSync(directory, { recursive: true })
  for (const { id, svg } of picturesOf(body, kinds))
    writeFileSync(join(directory, `${id}.svg`), svg)
}

function readArguments(args: string[]) {
  const { values, positionals } = parsed(args)
  const { rendering = [], key = null, pictures = null } = values
  const { redraw = false, json = false, help = false } = values
  const [file = '', ...more] = positionals
  if (!help && (file === '' || more.length > 0)) {
    throw new UsageError('expected one REPORT.json; see liquidity verify-report --help')
  }
  if (key !== null && !/^[A-Za-z0-9+/]{43}=$/.test(key)) {
    throw new UsageError(`--key is base64 of 32 bytes, got ${key}`)
  }
  return { file, renderings: rendering, key, redraw, pictures, json, help }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        rendering: { type: 'string', multiple: true },
        redraw: { type: 'boolean' },
        pictures: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** The arguments make no sense together, or a file cannot be read. */
class UsageError extends Error {}
