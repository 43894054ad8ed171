/**
 * Runs anvil and ends it when standard input closes.
 *
 * The kernel closes that pipe however the parent dies, SIGKILL included, so no chain outlives the
 * process that wanted it. Arguments: the binary, then anvil's own arguments.
 */
import { spawn } from 'node:child_process'

const [binary = '', ...options] = process.argv.slice(2)
const anvil = spawn(binary, options, { stdio: ['ignore', 'inherit', 'inherit'] })
const end = (): void => {
  anvil.kill('SIGKILL')
}
process.stdin.on('end', end).on('error', end).resume()
process.on('SIGTERM', end).on('SIGINT', end)
anvil.on('error', () => process.exit(1))
anvil.on('exit', (code) => process.exit(code ?? 0))
