/** What other parts of the repository may use of the service: to start it, and to administer it. */
export { progressBar } from './cli/replay/progress-bar.ts'
export { type Config, readConfig } from './config.ts'
export { openDatabase } from './context.ts'
export type { Database } from './database/database.ts'
export { createOrganization, createSignInLink } from './identity/administration.ts'
export { verifyHistory } from './records/verify-history.ts'
export { type RunningService, startService } from './service.ts'
