// Starts the viewer. It is a file of its own because the page's policy forbids inline scripts.
import init from '/coffer-ui.js';

init({ module_or_path: '/coffer-ui_bg.wasm' }).catch((error) => {
  const message = document.createElement('p');
  message.setAttribute('role', 'alert');
  message.textContent = `The viewer could not start: ${error.message}`;
  document.body.append(message);
});
