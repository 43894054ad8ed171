import { parseArgs } from 'node:util'
import { PoolRevertError } from '@liquidity-os/engine/amm'
import { ReplayInputError } from '@liquidity-os/engine/replay'
import { BaseFeesError } from '../../families/simulate/studies/replay/block-base-fees.ts'
import type { Output } from '../replay/output.ts'
import { progressBar } from '../replay/progress-bar.ts'
import { type EngineStudy, printStudy } from './print-study.ts'
import { type StudySource, studyRecording } from './run-study.ts'
import { invalidFile, readStudyFile, StudyFileError } from './study-file.ts'

const USAGE = `Usage: liquidity study FOLDER --spec FILE [--json]
       liquidity study --events FILE [--pool FILE] [--state FILE] --spec FILE [--json]

Backtests LP positions on the recorded events of a Uniswap v3 pool. Runs each position under two models of trader
flow. Works without a server.

  FOLDER         a folder with a recording, in the format of liquidity replay
  --events FILE  events as CSV or NDJSON, plain or .gz
  --pool FILE    fee, tick spacing and initial price of the pool, JSON
  --state FILE   state before the first event, JSON
  --spec FILE    capital, candidates and costs, JSON
  --json         print the whole result, amounts in atoms
  --help         print this text

Exit status: 0 the study is complete, 1 the replay differs from the recording, so the study is partial or withheld,
2 invalid input.
docs/examples contains input files. docs/studies.md defines the figures.
`

/**
 * The command `liquidity study`.
 *
 * @param io.args arguments after the word `study`
 * @returns the exit status: 0 complete, 1 partial or withheld, 2 invalid input or arguments
 */
export async function studyCommand(io: {
  args: string[]
  stdout: Output
  stderr: Output
}): Promise<number> {
  try {
    const { source, name, spec, json, help } = readArguments(io.args)
    if (help) {
      io.stdout.write(USAGE)
      return 0
    }
    const file = readStudyFile(spec)
    const bar = progressBar(io.stderr, name)
    const { study } = await studyRecording(source, file, bar.advance)
      .finally(bar.clear)
      .catch((error: unknown) => {
        if (!(error instanceof BaseFeesError)) throw error
        throw invalidFile(spec, [`costs.gas.baseFees ${error.message}`])
      })
    const result = study as unknown as EngineStudy
    io.stdout.write(json ? `${JSON.stringify(result, null, 1)}\n` : printStudy(file, result))
    return result.state === 'COMPLETED' ? 0 : 1
  } catch (error) {
    if (!isUsersFault(error)) throw error
    io.stderr.write(`liquidity study: ${error.message}\n`)
    return 2
  }
}

/** True if the user can fix the input: the engine also rejects positions that the pool contract rejects. */
function isUsersFault(error: unknown): error is Error {
  return [UsageError, StudyFileError, ReplayInputError, PoolRevertError, RangeError].some(
    (kind) => error instanceof kind,
  )
}

interface Options {
  source: StudySource
  name: string
  spec: string
  json: boolean
  help: boolean
}

function readArguments(args: string[]): Options {
  const { values, positionals } = parse(args)
  const { events, pool = null, state = null, spec = '', json = false, help = false } = values
  const [folder = '', ...more] = positionals
  const common = { spec, json, help }
  if (help) return { ...common, source: { folder }, name: folder }
  if (spec === '' || more.length > 0) throw new UsageError(expected)
  if (events !== undefined) {
    if (folder !== '') throw new UsageError('use either FOLDER or --events, not both')
    return { ...common, source: { events, pool, state }, name: events }
  }
  if (folder === '') throw new UsageError(expected)
  if (pool !== null || state !== null) {
    throw new UsageError('--pool and --state require --events; a FOLDER contains these files')
  }
  return { ...common, source: { folder }, name: folder }
}

const expected = 'expected one FOLDER or --events FILE, and --spec FILE; see liquidity study --help'

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        events: { type: 'string' },
        pool: { type: 'string' },
        state: { type: 'string' },
        spec: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** The arguments make no sense together. */
class UsageError extends Error {}
