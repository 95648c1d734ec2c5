import { installApiServer } from '../../src/cli/install.js';

// Installs the kinds and plugins, because tests and scripts bypass the entry points that do it.
installApiServer();
