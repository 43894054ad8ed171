/**
 * Runs anvil and ends it when standard input closes.
 *
 * The kernel closes that pipe however the parent dies, SIGKILL included, so no chain outlives the
 * process that wanted it. The states that anvil writes down, some megabytes for each block of a long
 * chain, are in a folder that goes with it: in its own place anvil leaves them when it is killed.
 * Whoever kills this process itself leaves the folder.
 * Arguments: the binary, then anvil's own arguments.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [binary = '', ...options] = process.argv.slice(2)
const states = mkdtempSync(join(tmpdir(), 'liquidity-chain-'))
const anvil = spawn(binary, [...options, '--cache-path', states], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
const end = (): void => {
  anvil.kill('SIGKILL')
}
process.stdin.on('end', end).on('error', end).resume()
process.on('SIGTERM', end).on('SIGINT', end)
process.on('exit', () => rmSync(states, { recursive: true, force: true }))
anvil.on('error', () => process.exit(1))
anvil.on('exit', (code) => process.exit(code ?? 0))
