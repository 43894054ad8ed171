import type { Writable } from 'node:stream'
import { AdministrationError } from '../access/administration.ts'
import { ConfigurationError } from '../config.ts'
import { DirectoryInUseError } from '../store/database/directory-lock.ts'
import { SchemaOutdatedError } from '../store/database/migrate.ts'

/**
 * Prints an error and returns the exit status. Caller errors print one line; all others are bugs
 * and print the stack.
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
