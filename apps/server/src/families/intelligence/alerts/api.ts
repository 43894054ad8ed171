export { alertsOf } from './alerts.ts'
