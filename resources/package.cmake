# SPDX-FileCopyrightText: 2026 POET Explorer developers
# SPDX-License-Identifier: Apache-2.0
# The first line of both descriptions is the project's; what follows is the package's own.
# Two Debian packages, `cpack -G DEB` in the build folder: poet (the command, its data and manual) and poet-explorer.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME poet)
set(CPACK_PACKAGE_VENDOR "POET Explorer developers")
set(CPACK_PACKAGE_CONTACT "POET Explorer developers <poet@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_INSTALL_DIRECTORY poet)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL poet explorer)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_POET_PACKAGE_NAME poet)
set(CPACK_DEBIAN_POET_DESCRIPTION "The poet command reads a neural network and a device profile, and finds and\nproves the schedule of least energy within a memory limit and a deadline.")
set(CPACK_DEBIAN_POET_PACKAGE_SUGGESTS "poet-explorer, cmake, gcc")
set(CPACK_DEBIAN_EXPLORER_PACKAGE_NAME poet-explorer)
set(CPACK_DEBIAN_EXPLORER_DESCRIPTION "The window of POET Explorer: the graph of a training step, its schedule over\ntime, and energy against memory.")
# Loaded at run time, so that no linked library names it: the icon engine.
set(CPACK_DEBIAN_EXPLORER_PACKAGE_DEPENDS "poet (= ${PROJECT_VERSION}), libqt6svg6")
include(CPack)
