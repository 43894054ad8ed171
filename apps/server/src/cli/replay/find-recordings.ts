import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ReplayInputError } from '@liquidity-os/engine/replay'
import type { QuoteRecording } from './quotes.ts'
import type { StreamRecording } from './replay-stream.ts'
import { readJson, type StartFiles } from './start.ts'
import type { VectorRecording } from './vectors.ts'

/** Any replayable recording, with the unread files next to it. */
export type Recording = (StreamRecording | VectorRecording | QuoteRecording) & {
  readonly unused?: readonly string[]
}

/** Names of event files, without extensions. */
const EVENT_FILES = ['events', 'raw_logs', 'logs', 'swaps']
const EVENT_ENDINGS = ['.csv', '.ndjson', '.jsonl', '.json']

/** Start terms from the command line, for every recording. */
export type GivenTerms = Pick<StartFiles, 'feePips' | 'tickSpacing' | 'pairFee'>

/**
 * Finds the recordings of a folder by file name. If it has no recordings, searches the subfolders.
 *
 * @throws ReplayInputError if no recording is found
 */
export async function findRecordings(folder: string, given: GivenTerms): Promise<Recording[]> {
  const names = await listFolder(folder)
  const found = await recordingsOf(folder, names, given)
  if (found.length > 0) return withUnused(found, folder, names)
  const nested: Recording[] = []
  for (const name of names) {
    const path = join(folder, name)
    if ((await stat(path)).isDirectory()) {
      const inside = await listFolder(path)
      nested.push(...(await withUnused(await recordingsOf(path, inside, given), path, inside)))
    }
  }
  if (nested.length > 0) return nested
  throw new ReplayInputError({
    file: folder,
    expected:
      'events, raw_logs, logs or swaps as .csv or .ndjson (or .gz of them), pool_swaps.json, ' +
      'tick_math.json, or .json files with state and quotes',
    found: names.length === 0 ? 'an empty folder' : names.join(', '),
  })
}

/** Documentation files are no part of a recording. */
const isPage = (name: string) => /\.(md|txt)$/i.test(name)

/** Attaches unread files of a folder to its first recording. */
async function withUnused(
  found: readonly Recording[],
  folder: string,
  names: readonly string[],
): Promise<Recording[]> {
  const read = new Set(found.flatMap(filesOf))
  const unused: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    if (!read.has(path) && !isPage(name) && (await stat(path)).isFile()) unused.push(name)
  }
  return found.map((recording, index) => (index === 0 ? { ...recording, unused } : recording))
}

function filesOf(recording: Recording): (string | null)[] {
  switch (recording.kind) {
    case 'STREAM':
      return [recording.events, recording.start.pool, recording.start.state, recording.end]
    case 'VECTORS':
      return [recording.swaps, recording.ticks]
    case 'QUOTES':
      return [recording.file]
  }
}

async function recordingsOf(
  folder: string,
  names: readonly string[],
  given: GivenTerms,
): Promise<Recording[]> {
  const name = basename(folder)
  const has = (file: string) =>
    [file, `${file}.gz`].find((candidate) => names.includes(candidate)) ?? null
  const path = (file: string | null) => (file === null ? null : join(folder, file))
  const swaps = has('pool_swaps.json')
  const ticks = has('tick_math.json')
  if (swaps !== null || ticks !== null) {
    return [{ kind: 'VECTORS', name, swaps: path(swaps), ticks: path(ticks) }]
  }
  const streams: Recording[] = []
  for (const stem of EVENT_FILES) {
    const events = EVENT_ENDINGS.map((ending) => has(stem + ending)).find((file) => file !== null)
    if (events == null) continue
    const start = {
      ...given,
      pool: path(has('pool.json')),
      state: path(has('state_before.json') ?? has('start_state.json') ?? has('state.json')),
    }
    const end = path(has('state_after.json') ?? has('end_state.json'))
    streams.push({ kind: 'STREAM', name, events: join(folder, events), start, end })
  }
  return streams.length > 0 ? streams : findQuotes(folder, names)
}

async function findQuotes(folder: string, names: readonly string[]): Promise<Recording[]> {
  const found: Recording[] = []
  for (const name of names.filter((candidate) => /\.json(?:\.gz)?$/.test(candidate))) {
    const file = join(folder, name)
    const document = await readJson(file).catch(asUnread)
    // An unreadable file is reported at its turn, so it does not hide the others.
    if (
      document === UNREAD ||
      (typeof document === 'object' && document !== null && 'quotes' in document)
    ) {
      found.push({ kind: 'QUOTES', name: `${basename(folder)}/${name}`, file })
    }
  }
  return found
}

const UNREAD = Symbol('a file that is no JSON')

function asUnread(error: unknown): typeof UNREAD {
  if (error instanceof ReplayInputError) return UNREAD
  throw error
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    throw new ReplayInputError({
      file: folder,
      expected: 'a folder with a recording',
      found: error instanceof Error ? error.message : String(error),
    })
  }
}
