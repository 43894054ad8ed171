/**
 * Runs anvil and ends it when standard input closes.
 *
 * The kernel closes this pipe if the parent dies in any way, SIGKILL included. So no chain outlives
 * its parent. Anvil writes states of some megabytes per block of a long chain. They are in a
 * temporary folder that this process removes; in its default folder a killed anvil leaves them. If
 * this process itself is killed, the folder remains.
 *
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
