import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { anvilBinary } from './artifacts.ts'

export type AnvilOptions = {
  readonly chainId: number
  /** Seconds since 1970 of the genesis block. */
  readonly timestamp: number
  readonly mnemonic: string
  /** Gas units a block holds. */
  readonly gasLimit: number
  /** Port on the loopback interface; 0 for a free one. */
  readonly port: number
}

export type Anvil = { readonly rpcUrl: string; stop(): Promise<void> }

const keeper = fileURLToPath(new URL('./anvil-keeper.ts', import.meta.url))

/**
 * Starts a real anvil on the loopback interface.
 *
 * `--slots-in-an-epoch 1` makes `finalized` the block two below the latest instead of 64 below.
 *
 * @throws AnvilStartError when the binary ends before it listens
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const child = spawn(
    process.execPath,
    [
      ...[keeper, anvilBinary(), '--host', '127.0.0.1', '--port', String(options.port)],
      ...['--chain-id', String(options.chainId), '--timestamp', String(options.timestamp)],
      ...['--mnemonic', options.mnemonic, '--balance', '1000000', '--accounts', '10'],
      ...['--gas-limit', String(options.gasLimit), '--hardfork', 'prague'],
      ...['--slots-in-an-epoch', '1', '--no-request-size-limit', '--order', 'fifo'],
    ],
    // A separate process group: a terminal signal to the parent does not stop the chain first.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  )
  const exited = once(child, 'exit')
  const rpcUrl = await listening(child)
  return {
    rpcUrl,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

function listening(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk
      const address = /Listening on (\S+)/.exec(output)?.[1]
      if (address === undefined) return
      for (const stream of [child.stdout, child.stderr]) stream.off('data', collect).resume()
      resolve(`http://${address}`)
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', collect)
    child.once('exit', () => reject(new AnvilStartError({ output })))
  })
}

/** Anvil ended before it answered; its own words are in the message. */
export class AnvilStartError extends Error {
  constructor(facts: { readonly output: string }) {
    super(`anvil did not start: ${facts.output.trim().slice(-2000)}`)
    this.name = 'AnvilStartError'
  }
}
