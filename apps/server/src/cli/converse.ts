import type { Config } from '../config.ts'
import type { Converse } from '../store/database/connect.ts'

/**
 * Lets the command line reach the embedded database of this process; its commands are loaded with the first
 * conversation.
 */
export function converseWith(config: Config): Converse {
  return (database, socket) => {
    void import('./administer.ts').then(({ answerCommands }) =>
      answerCommands(() => ({ database, config, now: Date.now() }))(socket),
    )
  }
}
