import type { Writable } from 'node:stream'
import { AdministrationError } from '../access/administration.ts'
import { ConfigurationError } from '../config.ts'
import { DirectoryInUseError } from '../store/database/directory-lock.ts'
import { SchemaOutdatedError } from '../store/database/migrate.ts'

/**
 * Prints an error and gives the exit status. Mistakes of the caller are told in one line; anything else is a
 * bug and keeps its stack.
 */
export function explain(error: unknown, stderr: Writable): number {
  const isOurs =
    error instanceof AdministrationError ||
    error instanceof ConfigurationError ||
    error instanceof DirectoryInUseError ||
    error instanceof SchemaOutdatedError
  stderr.write(`${isOurs ? error.message : error instanceof Error ? error.stack : error}\n`)
  return 1
}
