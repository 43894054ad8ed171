import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { PairFee } from '@liquidity-os/engine/amm'
import { ReplayInputError } from '@liquidity-os/engine/replay'
import { engineVersion } from '@liquidity-os/engine/version'
import { findRecordings, type GivenTerms, type Recording } from './find-recordings.ts'
import type { Output } from './output.ts'
import { printResult } from './print-result.ts'
import { progressBar } from './progress-bar.ts'
import { replayQuotes } from './quotes.ts'
import type { OnProgress } from './read-lines.ts'
import { type Replayed, replayStream } from './replay-stream.ts'
import { isDifferent, type RecordingResult, toReport, type Unusable } from './result.ts'
import { replayVectors } from './vectors.ts'

const USAGE = `Usage: liquidity replay FOLDER... [--json]
       liquidity replay --events FILE [--pool FILE] [--state FILE] [--end FILE] [--json]

Replays a recorded market through the exact engine and reports the share of exact events.

  FOLDER               a folder with a recording, or a folder of such folders
  --events FILE        events as CSV or NDJSON, plain or .gz
  --pool FILE          fee, tick spacing and initial price of the pool, JSON
  --state FILE         state before the first event, JSON
  --end FILE           state after the last event to compare with, JSON
  --fee FEE            trading fee: pips of a v3 pool, or a fraction such as 25/10000 of a v2 pair
  --tick-spacing N     tick spacing of a v3 pool
  --json               print a program-readable report
  --help               print this text

Exit status: 0 all checked events are exact, 1 a difference, 2 invalid input.
The format is described in docs/replay-format.md.
`

/**
 * The command `liquidity replay`.
 *
 * @param io.args arguments after the word `replay`
 * @returns the exit status: 0 exact, 1 different, 2 invalid input or arguments
 */
export async function replayCommand(io: {
  args: string[]
  stdout: Output
  stderr: Output
}): Promise<number> {
  try {
    const options = readArguments(io.args)
    if (options.help) {
      io.stdout.write(USAGE)
      return 0
    }
    return await runAll(options, io)
  } catch (error) {
    if (error instanceof ReplayInputError || error instanceof UsageError) {
      io.stderr.write(`liquidity replay: ${error.message}\n`)
      return 2
    }
    throw error
  }
}

/** Replays every readable input; one unusable input does not hide the results of the others. */
async function runAll(
  options: Options,
  { stdout, stderr }: { stdout: Output; stderr: Output },
): Promise<number> {
  const results: RecordingResult[] = []
  const unusable: Unusable[] = []
  const refuse = (name: string) => (error: unknown) => {
    if (!(error instanceof ReplayInputError)) throw error
    unusable.push({ name, message: error.message })
    stderr.write(`liquidity replay: ${error.message}\n`)
    return null
  }
  for (const recording of await chooseRecordings(options, refuse)) {
    const bar = progressBar(stderr, recording.name)
    const started = performance.now()
    const replayed = await replay(recording, bar.advance)
      .finally(bar.clear)
      .catch(refuse(recording.name))
    if (replayed === null) continue
    const { events } = replayed
    const result = withUnused(replayed.result, recording)
    const ms = performance.now() - started
    results.push(result)
    if (!options.json) stdout.write(`${printResult(result, { events, ms })}\n`)
  }
  if (options.json) {
    stdout.write(`${JSON.stringify(toReport(results, unusable, engineVersion), null, 1)}\n`)
  }
  if (unusable.length > 0) return 2
  return results.some(isDifferent) ? 1 : 0
}

/**
 * Reports unread files next to the recording; a misspelled name would otherwise look like a missing
 * file.
 */
function withUnused(result: RecordingResult, { unused = [] }: Recording): RecordingResult {
  if (unused.length === 0) return result
  return { ...result, notes: [...result.notes, `unused files: ${unused.join(', ')}`] }
}

function replay(recording: Recording, onProgress: OnProgress): Promise<Replayed> {
  switch (recording.kind) {
    case 'STREAM':
      return replayStream(recording, onProgress)
    case 'VECTORS':
      return replayVectors(recording)
    case 'QUOTES':
      return replayQuotes(recording)
  }
}

interface Options {
  folders: string[]
  events: string | null
  pool: string | null
  state: string | null
  end: string | null
  given: GivenTerms
  json: boolean
  help: boolean
}

async function chooseRecordings(
  options: Options,
  refuse: (name: string) => (error: unknown) => null,
): Promise<Recording[]> {
  const { folders, events, pool, state, end, given } = options
  if (events !== null) {
    const name = `${basename(dirname(events))}/${basename(events)}`
    return [{ kind: 'STREAM', name, events, start: { pool, state, ...given }, end }]
  }
  const found: Recording[] = []
  for (const folder of folders) {
    found.push(...((await findRecordings(folder, given).catch(refuse(folder))) ?? []))
  }
  return found
}

function readArguments(args: string[]): Options {
  const { values, positionals } = parse(args)
  const options: Options = {
    folders: positionals,
    events: values.events ?? null,
    pool: values.pool ?? null,
    state: values.state ?? null,
    end: values.end ?? null,
    given: {
      feePips: values.fee === undefined || values.fee.includes('/') ? null : readPips(values.fee),
      pairFee: values.fee?.includes('/') ? readFraction(values.fee) : null,
      tickSpacing:
        values['tick-spacing'] === undefined
          ? null
          : readBetween(values['tick-spacing'], '--tick-spacing', 1, 16383),
    },
    json: values.json ?? false,
    help: values.help ?? false,
  }
  if (options.help) return options
  const single = [options.events, options.pool, options.state, options.end]
  if (options.folders.length > 0 && single.some((file) => file !== null)) {
    throw new UsageError('give either folders, or --events with its companions')
  }
  if (options.folders.length === 0 && options.events === null) {
    throw new UsageError('expected a FOLDER or --events FILE; see liquidity replay --help')
  }
  return options
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        events: { type: 'string' },
        pool: { type: 'string' },
        state: { type: 'string' },
        end: { type: 'string' },
        fee: { type: 'string' },
        'tick-spacing': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readPips(text: string): number {
  return readBetween(text, '--fee', 0, 999_999)
}

function readFraction(text: string): PairFee {
  const match = /^([0-9]+)\/([0-9]+)$/.exec(text)
  const [numerator, denominator] =
    match === null ? [1n, 0n] : [BigInt(match[1]!), BigInt(match[2]!)]
  if (numerator < denominator) return { numerator, denominator }
  throw new UsageError(`--fee: expected a fraction below one such as 3/1000, found "${text}"`)
}

function readBetween(text: string, option: string, lowest: number, highest: number): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (value >= lowest && value <= highest) return value
  throw new UsageError(
    `${option}: expected a whole number in ${lowest}..${highest}, found "${text}"`,
  )
}

/** The arguments make no sense together. */
class UsageError extends Error {}
