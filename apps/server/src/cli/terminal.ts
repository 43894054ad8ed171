import type { Readable, Writable } from 'node:stream'

/** Input and output of a command: those of its process, or injected ones. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
}
