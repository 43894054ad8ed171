import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StableRecording } from '../src/parity/recorded-stable.ts'
import { readStableRecording } from '../src/replay/read/stable-recording.ts'
import { readDatasetJson, readJsonFile } from './datasets.ts'

const vectors = fileURLToPath(new URL('./vectors/curve/', import.meta.url))

/** Every StableSwap pool of the datasets and the vectors, with the calls the engine can answer. */
export function stableRecordings(): readonly (StableRecording & { readonly file: string })[] {
  const documents = [
    ['curve_3pool', readDatasetJson('onchain-quotes/curve_3pool_24407242.json')] as const,
    ...readdirSync(vectors)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name, readJsonFile(`${vectors}${name}`)] as const),
  ]
  return documents.map(([file, document]) => ({ file, ...recordingOf(document, file) }))
}

function recordingOf(document: unknown, file: string): StableRecording {
  const { rows, ...recording } = readStableRecording(document, file)
  const calls = rows.flatMap(({ call, answer }) =>
    call === null || answer === null ? [] : [{ call, answer }],
  )
  const price = (document as { state: { virtual_price?: string } }).state.virtual_price
  const priced =
    price === undefined
      ? []
      : [{ call: { function: 'get_virtual_price' as const }, answer: BigInt(price) }]
  return { ...recording, calls: [...calls, ...priced] }
}
