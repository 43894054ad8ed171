import type { Readable, Writable } from 'node:stream'

/** What a command reads and writes: that of its process, or what somebody else holds. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
}
