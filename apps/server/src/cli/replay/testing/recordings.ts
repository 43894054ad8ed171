import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replayCommand } from '../command.ts'

/** The recordings of the repository. */
export const datasets = fileURLToPath(new URL('../../../../../../datasets/', import.meta.url))

/** What the report of the command says, as far as tests look at it. */
export type Kind = { total: number; exact: number; refused: number; different: number }
type Difference = { line: number; fields: { field: string }[] }
export type Recording = {
  market: string
  name: string
  kinds: Record<string, Kind>
  refusals: Record<string, number>
  firstDifference: (Difference & { ambiguousWith?: Difference }) | null
  notes: string[]
  endState: { hash: string; reached: boolean | null; fields: { field: string }[] } | null
}
export type Report = { status: string; recordings: Recording[] }

/** `exact/judged` by kind. */
export function counts(recording: Recording): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recording.kinds).map(([kind, { exact, total, refused }]) => [
      kind,
      `${exact}/${total - refused}`,
    ]),
  )
}

/** Runs the command and keeps what it writes. */
export async function run(
  args: string[],
): Promise<{ status: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const status = await replayCommand({
    args,
    stdout: {
      write(text) {
        written.stdout += text
      },
    },
    stderr: {
      write(text) {
        written.stderr += text
      },
    },
  })
  return { status, ...written }
}

/** A folder of files for one test file, and what removes it. */
export function workFolder() {
  const path = mkdtempSync(join(tmpdir(), 'replay-'))
  return {
    path,
    save(name: string, content: string | Uint8Array): string {
      const file = join(path, name)
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(path, { recursive: true }),
  }
}

/** A CSV with one swap of a v3 pool, or its row alone. */
export function swapRow(block: string, header = true): string {
  const columns = 'block,type,amount0,amount1,sqrtPriceX96,liquidity,tick\n'
  return `${header ? columns : ''}${block},SWAP,1,-1,79228162514264337593543950336,5,0\n`
}

const addresses: Readonly<Record<string, string>> = {
  alice: `0x${'a'.repeat(40)}`,
  bob: `0x${'b'.repeat(40)}`,
  carol: `0x${'c'.repeat(40)}`,
}

/** An operation of a random sequence with an address in place of the name of its owner. */
export function withAddress<const T extends object>(operation: T): T {
  if (!('owner' in operation)) return operation
  return { ...operation, owner: addresses[String(operation.owner)] }
}
